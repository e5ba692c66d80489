package emails

import (
	"cmp"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// Invitation contains the data of the email that invites an address to an organisation.
type Invitation struct {
	Sender       Sender
	Organisation string // the name; "" if it must not be in the email, see CanNameOrganisation
	Email        string // of the recipient
	Role         account.Role
	Link         string // an absolute URL that contains the token
	Lifetime     time.Duration
}

// linkCharacters contains the characters by which mail programs recognise links in a text, and characters that look like
// them.
const linkCharacters = "./@:．。｡／＠："

// CanNameOrganisation reports whether an email to an address that anyone may have entered can contain the name of an
// organisation. Anyone can choose the name of an organisation. Without this check a name of an unlicensed organisation,
// or one with the characters of a link, could send advertising in our name.
func CanNameOrganisation(name string, hasLicense bool) bool {
	return hasLicense && !strings.ContainsAny(name, linkCharacters)
}

// InvitationEmail returns the email with the link with which its recipient joins an organisation. It contains no name of a
// person. The caller sets To.
func InvitationEmail(i Invitation) mail.Message {
	c := newContent(i.Sender, "", i.Link)
	name, address := oneLine(i.Organisation), oneLine(i.Email)
	c.Title = "You are invited"
	c.Paragraphs = []string{
		"A customer of " + c.Brand + " invites " + address + " to their account. Open the link to see who invites you.",
	}
	if name != "" {
		c.Title = name + " invites you"
		c.Paragraphs = []string{name + " invites " + address + " to its " + c.Brand + " account as " + describeRole(i.Role) + "."}
	}
	c.Button, c.ValidFor = "Show the invitation", formatDuration(i.Lifetime)
	return message("invitation", c.Title+" to "+c.Brand, c)
}

// roleTexts contains the names of roles, and what their members do.
var roleTexts = map[account.Role]struct{ name, description string }{
	account.Owner:         {"Owner", "everything"},
	account.BillingMember: {"Billing", "plan and payments, receives billing emails"},
	account.ReadingMember: {"Member", "can look and download invoices"},
}

// describeRole returns the name of a role with what its members do.
func describeRole(role account.Role) string {
	text := roleTexts[role]
	return text.name + " (" + text.description + ")"
}

// MemberNotice contains the data of the emails about the members of an organisation. They go to members and former
// members. The caller sets To.
type MemberNotice struct {
	Sender       Sender
	FirstName    string // of the recipient; "" if it is unknown
	Organisation string // the name
	Link         string // an absolute URL; opens the members screen, or the application
	At           string // such as "5 March 2026 at 10:30 am AEDT"
}

// message returns an email with the paragraphs, whose first one gets the time.
func (n MemberNotice) message(title, button, event, advice string) mail.Message {
	c := newContent(n.Sender, n.FirstName, n.Link)
	c.Title, c.Button = title, button
	c.Paragraphs = []string{"On " + n.At + ", " + event, advice}
	return message("notice", title, c)
}

// account names the account of the organisation.
func (n MemberNotice) account() string {
	return "the " + oneLine(n.Sender.Brand) + " account of " + oneLine(n.Organisation)
}

// notifyOwner returns an email to an owner.
func (n MemberNotice) notifyOwner(title, event string) mail.Message {
	return n.message(title, "Show the members", event,
		"If you did not expect this, look at the members now: another person may use the sign-in of an owner. "+
			"If you can't sign in, contact us.")
}

// nameOf returns the name of a member, and the name with the address. Both are the address if the member has no name.
func nameOf(m account.Member) (short, long string) {
	address := oneLine(m.Email)
	short = cmp.Or(oneLine(m.FullName()), address)
	if short == address {
		return short, short
	}
	return short, short + " (" + address + ")"
}

// MemberJoined returns the email to an owner about a new member.
func MemberJoined(n MemberNotice, joined account.Member) mail.Message {
	short, long := nameOf(joined)
	return n.notifyOwner(short+" joined "+oneLine(n.Organisation),
		long+" joined "+n.account()+" as "+describeRole(joined.Role)+".")
}

// MemberLeft returns the email to an owner about a member who has left.
func MemberLeft(n MemberNotice, left account.Member) mail.Message {
	short, long := nameOf(left)
	return n.notifyOwner(short+" left "+oneLine(n.Organisation), long+" left "+n.account()+".")
}

// MemberRemoved returns the email to an owner about a member whom an owner has removed.
func MemberRemoved(n MemberNotice, removed, by account.Member) mail.Message {
	short, long := nameOf(removed)
	_, remover := nameOf(by)
	return n.notifyOwner(short+" was removed from "+oneLine(n.Organisation),
		remover+" removed "+long+" from "+n.account()+".")
}

// MemberRoleChanged returns the email to an owner about another member who has become an owner, or is not one any more.
func MemberRoleChanged(n MemberNotice, changed, by account.Member) mail.Message {
	short, long := nameOf(changed)
	_, changer := nameOf(by)
	return n.notifyOwner(short+" is now "+roleTexts[changed.Role].name,
		changer+" changed the role of "+long+" in "+n.account()+" to "+describeRole(changed.Role)+".")
}

// MemberInvited returns the email to an owner about an invitation by another owner.
func MemberInvited(n MemberNotice, email string, role account.Role, by account.Member) mail.Message {
	_, inviter := nameOf(by)
	return n.notifyOwner(oneLine(email)+" was invited to "+oneLine(n.Organisation),
		inviter+" invited "+oneLine(email)+" to "+n.account()+" as "+describeRole(role)+".")
}

// OwnerInvitedBySupport returns the email to an owner about an invitation by an operator.
func OwnerInvitedBySupport(n MemberNotice, email string) mail.Message {
	return n.notifyOwner("Our support invited an owner",
		"our support invited "+oneLine(email)+" to "+n.account()+" as "+describeRole(account.Owner)+".")
}

// MemberTwoStepReset returns the email to an owner about a user of the organisation whose second factor was removed by an
// operator.
func MemberTwoStepReset(n MemberNotice, userEmail string) mail.Message {
	address := oneLine(userEmail)
	return n.message("Our support reset the two-step verification of "+address, "Show the members",
		"our support turned off two-step verification and removed the passkeys of "+address+", who has access to "+n.account()+
			". This person was signed out everywhere and needs a new password.",
		"If this person did not ask for it, contact us at once: another person may try to use the sign-in.")
}

// MadeOwnerBySupport returns the email to an owner about a member whom an operator has made an owner.
func MadeOwnerBySupport(n MemberNotice, changed account.Member) mail.Message {
	_, long := nameOf(changed)
	return n.notifyOwner("Our support made a member an owner",
		"our support changed the role of "+long+" in "+n.account()+" to "+describeRole(account.Owner)+".")
}

// RoleChanged returns the email to a member whose role an owner has changed.
func RoleChanged(n MemberNotice, role account.Role) mail.Message {
	title := "Your role is now " + roleTexts[role].name
	return n.message(title, "Open "+oneLine(n.Sender.Brand),
		"your role in "+n.account()+" was changed to "+describeRole(role)+".",
		"If you did not expect this, ask an owner of "+oneLine(n.Organisation)+".")
}

// AccessRemoved returns the email to a person who is not a member any more. isDeleted reports that the person's account was
// deleted, because it belonged to no other organisation.
func AccessRemoved(n MemberNotice, isDeleted bool) mail.Message {
	event := "your access to " + n.account() + " ended."
	if isDeleted {
		event += " Your sign-in was deleted, because it belongs to no other organisation."
		n.Link = "" // the recipient can't sign in any more
	}
	return n.message("You no longer have access to "+oneLine(n.Organisation), "Open "+oneLine(n.Sender.Brand), event,
		"If you did not expect this, ask an owner of "+oneLine(n.Organisation)+".")
}

// ErasureRequested returns the email to an owner about the request to delete the organisation's data on a date. keptUntil
// is the date until which invoices are kept, "" without invoices.
func ErasureRequested(n MemberNotice, on, keptUntil string) mail.Message {
	c := newContent(n.Sender, n.FirstName, n.Link)
	c.Title, c.Button = "Your data will be deleted on "+on, "Keep the account"
	c.Paragraphs = []string{
		"On " + n.At + ", the deletion of " + n.account() + " was requested, with its members and all other data.",
		"Until " + on + ", every owner can withdraw the request on the account page. After that, the data can't be restored.",
	}
	c.Paragraphs = append(c.Paragraphs, keptInvoices(keptUntil)...)
	return message("notice", c.Title, c)
}

// ErasureWithdrawn returns the email to an owner about a request that was withdrawn.
func ErasureWithdrawn(n MemberNotice) mail.Message {
	return n.message("Your data will not be deleted", "Show the account",
		"the request to delete "+n.account()+" was withdrawn. Nothing has been deleted.",
		"To delete the data, an owner has to request it again.")
}

// ErasureDone returns the email to a former owner after the organisation was deleted.
func ErasureDone(n MemberNotice, keptUntil string) mail.Message {
	c := newContent(n.Sender, n.FirstName, n.Link)
	c.Title, c.Button = "Your data is deleted", "Open "+c.Brand
	c.Paragraphs = []string{
		"On " + n.At + ", " + n.account() + " was deleted, with its members and all other data. This can't be undone.",
	}
	c.Paragraphs = append(c.Paragraphs, keptInvoices(keptUntil)...)
	return message("notice", c.Title, c)
}

func keptInvoices(until string) []string {
	if until == "" {
		return nil
	}
	return []string{"The law requires us to keep your invoices, with the name and address on them, until " + until + "."}
}
