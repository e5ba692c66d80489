package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// verification is what the templates of the verification email may say.
type verification struct {
	Brand, FirstName, Link, ValidFor string
}

// Verification writes the email whose link proves that an e-mail address is its reader's own.
// The link is an absolute URL that carries the token; validFor is how long it is good. The caller
// fills in To.
func Verification(brandName, firstName, link string, validFor time.Duration) mail.Message {
	content := verification{
		Brand: oneLine(brandName), FirstName: oneLine(firstName), Link: link, ValidFor: span(validFor),
	}
	return mail.Message{
		Subject: "Confirm your e-mail address for " + content.Brand,
		Text:    text("verification.txt", content),
		HTML:    html("verification.html", content),
	}
}
