package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// Verification returns the email with the link that confirms the email address of a new user. The link
// is an absolute URL that contains the token, and it expires after validFor. The caller sets To.
func Verification(from Sender, firstName, link string, validFor time.Duration) mail.Message {
	c := newContent(from, firstName, link)
	c.Title, c.Button, c.ValidFor = "Confirm your e-mail address", "Confirm my e-mail address", formatDuration(validFor)
	return message("verification", "Confirm your e-mail address for "+c.Brand, c)
}
