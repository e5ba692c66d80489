package emails

import (
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// SecurityNotice contains the data of the emails about the sign-ins, the password and the factors of a user. The caller
// sets To.
type SecurityNotice struct {
	Sender    Sender
	FirstName string
	Link      string // an absolute URL; opens the screen on which the user requests a password reset
	At        string // such as "5 March 2026 at 10:30 am AEDT"
}

// message returns an email with two paragraphs. The second one states what to do if another person caused the event.
func (n SecurityNotice) message(title, subject, event, advice string) mail.Message {
	c := n.content(title)
	c.Paragraphs = []string{event, advice}
	return message("notice", subject, c)
}

func (n SecurityNotice) content(title string) content {
	c := newContent(n.Sender, n.FirstName, n.Link)
	c.Title, c.Button, c.At = title, "Choose a new password", n.At
	return c
}

// event returns a sentence about what happened to the account, with its time.
func (n SecurityNotice) event(format string) string {
	return fmt.Sprintf(format, oneLine(n.Sender.Brand), n.At)
}

// undoMessage returns an email as message does, whose button undoes the event. n.Link is the link of an account.Undo.
func (n SecurityNotice) undoMessage(title, subject, event string) mail.Message {
	c := n.content(title)
	c.Button = "Wasn't you? Undo"
	days := formatDuration(account.UndoLifetime)
	c.Paragraphs = []string{event, "If it was not you, undo it within " + days + ", and choose a new password. This address is then the email of " +
		"the account, the authenticator app and the passkeys of the last " + days + " are removed, and all browsers are signed out."}
	return message("notice", subject, c)
}

const contactAdvice = "If it was not you, another person can use your account. Choose a new password and contact us."

// NewSignIn returns the email about a sign-in from a browser that the user has not used before.
func NewSignIn(n SecurityNotice) mail.Message {
	c := n.content("New sign-in to your account")
	return message("new_sign_in", "New sign-in to your "+c.Brand+" account", c)
}

// PasswordChangedByLink returns the email that confirms that the password was changed with a link from an email.
func PasswordChangedByLink(n SecurityNotice) mail.Message {
	c := n.content("Your password was changed")
	return message("password_changed_by_link", "Your password for "+c.Brand+" was changed", c)
}

// PasswordChangedInSession returns the email that confirms that a signed-in user has changed the password.
func PasswordChangedInSession(n SecurityNotice) mail.Message {
	return n.message("Your password was changed", "Your password for "+n.Sender.Brand+" was changed",
		n.event("The password of your %s account was changed on %s. You were signed out in all other browsers."), contactAdvice)
}

// EmailChangeRequested returns the email to the current address about a request to replace it.
func EmailChangeRequested(n SecurityNotice, newEmail string) mail.Message {
	return n.undoMessage("Your email is about to change", "The email of your "+n.Sender.Brand+" account is about to change",
		n.event("On %[2]s, a change of the email of your %[1]s account was requested. The new one is ")+oneLine(newEmail)+
			". It replaces this address as soon as it is confirmed.")
}

// EmailChanged returns the email to the previous address of a user, which was replaced.
func EmailChanged(n SecurityNotice, newEmail string) mail.Message {
	return n.undoMessage("Your email changed", "The email of your "+n.Sender.Brand+" account changed",
		n.event("On %[2]s, the email of your %[1]s account was changed to ")+oneLine(newEmail)+
			". This address no longer signs you in. You were signed out in all other browsers.")
}

// ChangeUndone returns the email that confirms that a change was undone with a link from an email. hasTwoStep reports that
// two-step verification is still on, with the recovery codes that were created last.
func ChangeUndone(n SecurityNotice, hasTwoStep bool) mail.Message {
	advice := contactAdvice
	if hasTwoStep {
		advice = "Two-step verification is still on. Another person may have created its recovery codes: please create new ones " +
			"on the page of your account. " + contactAdvice
	}
	return n.message("Your account was restored", "Your "+n.Sender.Brand+" account was restored",
		n.event("A change of your %s account was undone on %s. The account has this address and a new password. The authenticator "+
			"app and the passkeys of the last "+formatDuration(account.UndoLifetime)+" were removed, and you were signed out in all browsers."),
		advice)
}

// TwoStepOn returns the email that confirms that two-step verification was turned on.
func TwoStepOn(n SecurityNotice) mail.Message {
	return n.undoMessage("Two-step verification is on", "Two-step verification is on for your "+n.Sender.Brand+" account",
		n.event("On %[2]s, two-step verification was turned on for your %[1]s account. Your password now needs a code from "+
			"your authenticator app. You were signed out in all other browsers."))
}

// TwoStepOnWithPasskey returns the email that confirms that two-step verification was turned on without an authenticator app.
func TwoStepOnWithPasskey(n SecurityNotice) mail.Message {
	return n.undoMessage("Two-step verification is on", "Two-step verification is on for your "+n.Sender.Brand+" account",
		n.event("On %[2]s, two-step verification was turned on for your %[1]s account. You sign in with your passkey, and your "+
			"password now needs a recovery code. You were signed out in all other browsers."))
}

// AppAdded returns the email that confirms that an authenticator app was added to two-step verification that was on without one.
func AppAdded(n SecurityNotice) mail.Message {
	return n.undoMessage("An authenticator app was added", "An authenticator app was added to your "+n.Sender.Brand+" account",
		n.event("An authenticator app was added to your %s account on %s. Its codes now work with your password, and your recovery "+
			"codes still do. You were signed out in all other browsers."))
}

// TwoStepOff returns the email that confirms that two-step verification was turned off.
func TwoStepOff(n SecurityNotice) mail.Message {
	return n.message("Two-step verification is off", "Two-step verification is off for your "+n.Sender.Brand+" account",
		n.event("On %[2]s, two-step verification was turned off for your %[1]s account. Your password alone signs you in again."),
		contactAdvice)
}

// TwoStepReset returns the email to a user whose second factor was removed by an operator. It has no name, because the reader
// of the mailbox may be another person. See MemberTwoStepReset for the email to owners.
func TwoStepReset(n SecurityNotice, userEmail string) mail.Message {
	return n.message("Two-step verification was reset", "Two-step verification was reset for a "+n.Sender.Brand+" account",
		n.event("On %[2]s our support turned off two-step verification and removed the passkeys of the %[1]s account of ")+oneLine(userEmail)+
			". The account was signed out everywhere and needs a new password.",
		"If you did not ask for it, contact us at once: another person may try to use the account.")
}

// PasskeyAdded returns the email that confirms that a passkey was added.
func PasskeyAdded(n SecurityNotice) mail.Message {
	return n.undoMessage("A passkey was added", "A passkey was added to your "+n.Sender.Brand+" account",
		n.event("A passkey was added to your %s account on %s. It signs you in without a password. You were signed out in all "+
			"other browsers."))
}

// PasskeysRemovedBySupport returns the email about a user whose passkeys were removed by an operator.
func PasskeysRemovedBySupport(n SecurityNotice) mail.Message {
	return n.message("Your passkeys were removed", "All passkeys were removed from your "+n.Sender.Brand+" account",
		n.event("On %[2]s our support removed all passkeys from your %[1]s account. You were signed out everywhere."),
		"If you did not ask for it, contact us at once: another person may try to use the account.")
}

// PasskeyRemoved returns the email that confirms that a passkey was removed.
func PasskeyRemoved(n SecurityNotice) mail.Message {
	return n.message("A passkey was removed", "A passkey was removed from your "+n.Sender.Brand+" account",
		n.event("A passkey was removed from your %s account on %s. It no longer signs you in."), contactAdvice)
}

// NewRecoveryCodes returns the email that confirms that the recovery codes were replaced.
func NewRecoveryCodes(n SecurityNotice) mail.Message {
	return n.message("You have new recovery codes", "New recovery codes for your "+n.Sender.Brand+" account",
		n.event("The recovery codes of your %s account were replaced on %s. The previous codes no longer work."), contactAdvice)
}

// RecoveryCodeUsed returns the email about a sign-in with a recovery code, and the number of codes that remain.
func RecoveryCodeUsed(n SecurityNotice, remaining int) mail.Message {
	return n.message("A recovery code was used", "A recovery code of your "+n.Sender.Brand+" account was used",
		n.event("A recovery code was used to sign in to your %s account on %s. ")+
			remainingCodes(remaining), contactAdvice)
}

func remainingCodes(count int) string {
	if count == 0 {
		return "It was the last one: create new codes in your account settings."
	}
	return "You have " + plural(int64(count), "unused code") + " left."
}

// WrongCode returns the email about a sign-in with the correct password and a wrong code. The block is the reason for
// which no more codes are accepted, see account.User.CodeBlock.
func WrongCode(n SecurityNotice, block account.SecondFactor) mail.Message {
	event := n.event("On %[2]s your password was used to sign in to your %[1]s account, with a wrong code. The sign-in was refused.")
	advice := "If it was not you, another person knows your password. Choose a new one."
	switch block {
	case account.TooManyErrors:
		advice = "There were too many wrong codes. No more codes are accepted until you choose a new password."
	case account.LockedByErrors:
		advice = "There were too many wrong codes, and no more are accepted. Choose a new password, because another person may know yours, " +
			"and contact us."
	}
	return n.message("Your password was used with a wrong code", "Your "+n.Sender.Brand+" password was used with a wrong code",
		event, advice)
}

// CallerCode returns the email with the code that the user reads to an operator on the phone. link is an absolute URL that opens
// the user's account. The caller sets To.
func CallerCode(sender Sender, firstName, link, code string, lifetime time.Duration) mail.Message {
	c := newContent(sender, firstName, link)
	c.Title, c.Button = "Your code for our support: "+code, "Open your account"
	c.Paragraphs = []string{
		"You are on the phone with our support, who asks for this code: " + code + ". It is valid for " + formatDuration(lifetime) + ".",
		"Our support never asks for your password or for a code from your authenticator app. If you are not on the phone with our " +
			"support, give this code to no one, and contact us. The code does not sign anyone in.",
	}
	return message("notice", "Your code for the support of "+c.Brand, c)
}
