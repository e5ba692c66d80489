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
