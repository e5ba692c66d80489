package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// Verification returns the email with the link that confirms the email address of a new user. The link
// is an absolute URL that contains the token, and it expires after validFor. The caller sets To.
func Verification(from Sender, firstName, link string, validFor time.Duration) mail.Message {
	c := newContent(from, firstName, link)
	c.Title, c.Button, c.ValidFor = "Confirm your email address", "Confirm my email address", formatDuration(validFor)
	return message("verification", "Confirm your email address for "+c.Brand, c)
}

// PasswordReset returns the email with the link for choosing a new password. The link is an absolute URL
// that contains the token. The caller sets To.
func PasswordReset(from Sender, firstName, link string, validFor time.Duration) mail.Message {
	c := newContent(from, firstName, link)
	c.Title, c.Button, c.ValidFor = "Choose a new password", "Choose a new password", formatDuration(validFor)
	return message("password_reset", "Choose a new password for "+c.Brand, c)
}

// PasswordChanged returns the email that confirms a change of the password at the given time. The link
// opens the screen on which the user requests a password reset. The caller sets To.
func PasswordChanged(from Sender, firstName, link string, at time.Time) mail.Message {
	c := newContent(from, firstName, link)
	c.Title, c.Button, c.At = "Your password was changed", "Choose a new password", at.UTC().Format("2 January 2006 at 15:04 UTC")
	return message("password_changed", "Your password for "+c.Brand+" was changed", c)
}
