package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// Verification returns the email with the link that confirms the email address of a new user. The link is an absolute URL
// that contains the token, and it expires after the lifetime. The email contains no text of the registration, because
// anyone can register the address of another person. The caller sets To.
func Verification(sender Sender, link string, lifetime time.Duration) mail.Message {
	c := newContent(sender, "", link)
	c.Title, c.Button, c.ValidFor = "Confirm your email address", "Confirm my email address", formatDuration(lifetime)
	return message("verification", "Confirm your email address for "+c.Brand, c)
}

// BillingEmailConfirmation returns the email with the link that confirms the billing email of an organisation. It
// contains no text of the organisation, because the address may belong to another person. The caller sets To.
func BillingEmailConfirmation(sender Sender, link string, lifetime time.Duration) mail.Message {
	c := newContent(sender, "", link)
	c.Title, c.Button, c.ValidFor = "Confirm your email address for invoices", "Show the request", formatDuration(lifetime)
	return message("billing_email", c.Title+" of "+c.Brand, c)
}

// PasswordReset returns the email with the link for choosing a new password. The link is an absolute URL that contains the
// token. firstName is "" for an address that is not verified. The caller sets To.
func PasswordReset(sender Sender, firstName, link string, lifetime time.Duration) mail.Message {
	c := newContent(sender, firstName, link)
	c.Title, c.Button, c.ValidFor = "Choose a new password", "Choose a new password", formatDuration(lifetime)
	return message("password_reset", "Choose a new password for "+c.Brand, c)
}

// EmailChangeConfirmation returns the email with the link that confirms the new address of a user. It contains no text of the
// user, because the address may belong to another person. The caller sets To.
func EmailChangeConfirmation(sender Sender, link string, lifetime time.Duration) mail.Message {
	c := newContent(sender, "", link)
	c.Title, c.Button, c.ValidFor = "Confirm your new email", "Show the request", formatDuration(lifetime)
	return message("email_change", c.Title+" for "+c.Brand, c)
}

// EmailInUse returns the email to the address of an account that another user has requested as a new address. link is an
// absolute URL that opens the screen on which a user requests a password reset. The caller sets To.
func EmailInUse(sender Sender, link string) mail.Message {
	c := newContent(sender, "", link)
	c.Title, c.Button = "This email has an account", "Choose a new password"
	c.Paragraphs = []string{
		"A signed-in user of " + c.Brand + " wants to use this address for another account. It has an account already, so nothing was changed.",
		"If it was you, sign in with this address. If you do not know the password, choose a new one. " +
			"If it was not you, you can ignore this email.",
	}
	return message("notice", c.Title+" at "+c.Brand, c)
}
