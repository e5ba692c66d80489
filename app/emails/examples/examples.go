// Package examples lists all emails with example data, for the development page /dev/emails and for tests. Add an
// example for every new email; a test compares the list with the templates.
package examples

import (
	"strings"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// Example is an email with example data.
type Example struct {
	Name    string // the name of the template or of the kind of notice, such as "invoice_issued"
	Variant string // how the data differs from other examples of the name, such as "after a part payment"; may be ""
	Message mail.Message
}

// recipient is the address of all examples.
const recipient = "ann@example.com"

// newRecipient is the new address of a user.
const newRecipient = "ann.lee@northside.example"

const exampleToken = "?token=QHJ5MZ3VX7KD2RBT6WNPA4CYEU" //nolint:gosec // an example

const organisationName = "Northside Clinic"

// unusualNames contains names that test the layout and the encoding of the emails.
var unusualNames = []struct{ variant, name string }{
	{"a long name", "Anastasia-Konstantina Papadopoulou-Christodoulopoulou and Associates of the Northern Beaches"},
	{"a long word", strings.Repeat("Wolfeschlegelsteinhausenbergerdorff", 3)},
	{"a right-to-left name", "יעל בן־דוד 3"},
	{"a name with markup", `Zoë <b>"O’Neill"</b> & Söhne 👩🏽‍⚕️`},
}

// All returns all emails of the sender, with links to the public URL.
func All(sender emails.Sender, publicURL string) []Example {
	c := collector{sender: sender, publicURL: publicURL}
	c.addAccountEmails("", "Zoë")
	for _, unusual := range unusualNames {
		c.addAccountEmails(unusual.variant, unusual.name)
	}
	c.addInvoiceEmails()
	c.addNotices()
	return c.examples
}

// collector builds the list of the examples.
type collector struct {
	sender    emails.Sender
	publicURL string
	examples  []Example
}

func (c *collector) add(name, variant string, m mail.Message) {
	m.To = recipient
	c.examples = append(c.examples, Example{name, variant, m})
}

// addAccountEmails adds the emails about the account of a user.
func (c *collector) addAccountEmails(variant, firstName string) {
	c.add("verification", variant, emails.Verification(c.sender, c.publicURL+"/vc-admin/auth/verify"+exampleToken, 48*time.Hour))
	c.add("password_reset", variant, emails.PasswordReset(c.sender, firstName, c.publicURL+"/vc-admin/auth/reset"+exampleToken, time.Hour))
	c.addSecurityNotices(variant, firstName)
	c.addMemberEmails(variant, firstName, c.publicURL+"/vc-admin/auth/invitation"+exampleToken)
	if variant == "" {
		c.add("billing_email", "",
			emails.BillingEmailConfirmation(c.sender, c.publicURL+"/vc-admin/auth/billing-email"+exampleToken, 48*time.Hour))
		c.add("email_change", "", emails.EmailChangeConfirmation(c.sender, c.publicURL+"/vc-admin/auth/email"+exampleToken, 48*time.Hour))
		c.add("email_in_use", "", emails.EmailInUse(c.sender, c.publicURL+"/vc-admin/auth/forgot"))
	}
}

// addSecurityNotices adds the emails about the sign-ins, the password and the factors of a user.
func (c *collector) addSecurityNotices(variant, firstName string) {
	notice := emails.SecurityNotice{
		Sender: c.sender, FirstName: firstName, Link: c.publicURL + "/vc-admin/auth/forgot", At: "5 March 2026 at 10:30 am AEDT",
	}
	c.add("new_sign_in", variant, emails.NewSignIn(notice))
	c.add("password_changed_by_link", variant, emails.PasswordChangedByLink(notice))
	c.add("password_changed_in_session", variant, emails.PasswordChangedInSession(notice))
	c.add("two_step_off", variant, emails.TwoStepOff(notice))
	c.add("two_step_reset", variant, emails.TwoStepReset(notice, recipient))
	c.add("passkey_removed", variant, emails.PasskeyRemoved(notice))
	c.add("passkeys_removed_by_support", variant, emails.PasskeysRemovedBySupport(notice))
	c.add("new_recovery_codes", variant, emails.NewRecoveryCodes(notice))
	c.add("recovery_code_used", variant, emails.RecoveryCodeUsed(notice, 9))
	c.add("wrong_code", variant, emails.WrongCode(notice, ""))
	c.add("change_undone", variant, emails.ChangeUndone(notice, false))
	c.add("caller_code", variant, emails.CallerCode(c.sender, firstName, c.publicURL+"/vc-admin/diy", "493817", account.CallerCodeLifetime))
	undoable := notice
	undoable.Link = c.publicURL + "/vc-admin/auth/undo" + exampleToken
	c.add("email_change_requested", variant, emails.EmailChangeRequested(undoable, newRecipient))
	c.add("email_changed", variant, emails.EmailChanged(undoable, newRecipient))
	c.add("two_step_on", variant, emails.TwoStepOn(undoable))
	c.add("two_step_on_with_passkey", variant, emails.TwoStepOnWithPasskey(undoable))
	c.add("app_added", variant, emails.AppAdded(undoable))
	c.add("passkey_added", variant, emails.PasskeyAdded(undoable))
	if variant == "" {
		c.add("change_undone", "with two-step verification", emails.ChangeUndone(notice, true))
		c.add("recovery_code_used", "the last one", emails.RecoveryCodeUsed(notice, 0))
		c.add("wrong_code", "too many", emails.WrongCode(notice, account.TooManyErrors))
		c.add("wrong_code", "locked", emails.WrongCode(notice, account.LockedByErrors))
	}
}

// addMemberEmails adds the emails about the members of an organisation.
func (c *collector) addMemberEmails(variant, name, link string) {
	organisation := organisationName
	if variant != "" {
		organisation = name
	}
	invitation := emails.Invitation{
		Sender: c.sender, Organisation: organisation, Email: recipient, Role: account.BillingMember, Link: link,
		Lifetime: account.InvitationLifetime,
	}
	c.add("invitation", variant, emails.InvitationEmail(invitation))
	if variant == "" {
		invitation.Organisation = ""
		c.add("invitation", "without the name", emails.InvitationEmail(invitation))
	}
	notice := emails.MemberNotice{
		Sender: c.sender, FirstName: name, Organisation: organisation, Link: c.publicURL + "/vc-admin/diy/members",
		At: "5 March 2026 at 10:30 am AEDT",
	}
	member := account.Member{
		Membership: account.Membership{Role: account.Owner}, FirstName: name, LastName: "Roe", Email: "sam@example.com",
	}
	owner := account.Member{FirstName: "Ada", LastName: "Lee", Email: "ada@example.com"}
	c.add("member_joined", variant, emails.MemberJoined(notice, member))
	c.add("member_left", variant, emails.MemberLeft(notice, member))
	c.add("member_removed", variant, emails.MemberRemoved(notice, member, owner))
	c.add("member_role_changed", variant, emails.MemberRoleChanged(notice, member, owner))
	c.add("member_invited", variant, emails.MemberInvited(notice, "sam@example.com", account.BillingMember, owner))
	c.add("owner_invited_by_support", variant, emails.OwnerInvitedBySupport(notice, member.Email))
	c.add("member_two_step_reset", variant, emails.MemberTwoStepReset(notice, member.Email))
	c.add("made_owner_by_support", variant, emails.MadeOwnerBySupport(notice, member))
	c.add("role_changed", variant, emails.RoleChanged(notice, account.BillingMember))
	c.add("access_removed", variant, emails.AccessRemoved(notice, true))
	notice.Link = c.publicURL + "/vc-admin/diy/account"
	c.add("erasure_requested", variant, emails.ErasureRequested(notice, "19 March 2026", "31 December 2036"))
	c.add("erasure_withdrawn", variant, emails.ErasureWithdrawn(notice))
	c.add("erasure_done", variant, emails.ErasureDone(notice, "31 December 2036"))
	if variant == "" {
		c.add("access_removed", "with another organisation", emails.AccessRemoved(notice, false))
		c.add("erasure_requested", "without invoices", emails.ErasureRequested(notice, "19 March 2026", ""))
	}
}

// addInvoiceEmails adds the emails about invoices.
func (c *collector) addInvoiceEmails() {
	invoice := c.newInvoice("AUD")
	c.addInvoice("", invoice)
	c.addInvoice("after a part payment", modify(invoice, func(inv *emails.Invoice) {
		inv.IsPartlyPaid, inv.Amount = true, amount(81600, "AUD")
		inv.AmountRows = []emails.Row{
			{Label: "Total", Amount: amount(111600, "AUD"), Strong: true}, {Label: "Credit used", Amount: amount(-3550, "AUD")},
			{Label: "Paid", Amount: amount(-26450, "AUD")}, {Label: "Amount due", Amount: amount(81600, "AUD"), Strong: true},
		}
	}))
	c.add("invoice_issued", "of a plan change", emails.InvoiceIssued(modify(invoice, func(inv *emails.Invoice) {
		inv.ChangesTo = emails.Plan{Name: "Professional", Interval: catalogue.Yearly}
	})))
	c.addInvoice("without optional parts", modify(invoice, func(inv *emails.Invoice) {
		inv.Number, inv.Description, inv.EndsOn, inv.Instructions = "", "", "", nil
	}))
	for _, unusual := range unusualNames {
		c.addInvoice(unusual.variant, modify(invoice, func(inv *emails.Invoice) {
			inv.Description, inv.OrganisationName = unusual.name, unusual.name
			inv.Instructions = append([]billing.Instruction{{Label: "Account name", Value: unusual.name}}, invoice.Instructions...)
		}))
	}
	for _, currency := range money.Currencies() {
		c.add("invoice_issued", "in "+currency.Code, emails.InvoiceIssued(c.newInvoice(currency.Code)))
	}
}

func (c *collector) addInvoice(variant string, inv emails.Invoice) {
	c.add("invoice_issued", variant, emails.InvoiceIssued(inv))
	c.add("invoice_overdue", variant, emails.InvoiceOverdue(inv))
	c.add("plan_ended_unpaid", variant, emails.PlanEndedUnpaid(inv))
}

// newInvoice returns an invoice of 1,234,500 minor units.
func (c *collector) newInvoice(currency string) emails.Invoice {
	return emails.Invoice{
		Sender: c.sender, OrganisationName: organisationName, PlanName: "Professional", Number: "INV-0001",
		Description: "Professional, yearly", Amount: amount(1_234_500, currency),
		DueOn: "12 December 2026", EndsOn: "19 December 2026",
		Instructions: []billing.Instruction{
			{Label: "BSB", Value: "062-000"}, {Label: "Account number", Value: "1234 5678"},
			{Label: "Reference", Value: "INV-0001"},
		},
		InvoiceLink: c.publicURL + "/vc-admin/diy/invoices/in_1", PayLink: c.publicURL + "/vc-admin/diy/pay",
	}
}
