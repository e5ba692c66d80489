package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// verification contains the values for the verification templates.
type verification struct {
	Brand, FirstName, Link, ValidFor string
}

// Verification returns the email with the link that confirms the email address of a new user. The link
// is an absolute URL that contains the token, and it expires after validFor. The caller sets To.
func Verification(brandName, firstName, link string, validFor time.Duration) mail.Message {
	content := verification{
		Brand: oneLine(brandName), FirstName: oneLine(firstName), Link: link, ValidFor: formatDuration(validFor),
	}
	return mail.Message{
		Subject: "Confirm your e-mail address for " + content.Brand,
		Text:    text("verification.txt", content),
		HTML:    html("verification.html", content),
	}
}
