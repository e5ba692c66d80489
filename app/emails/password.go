package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// passwordReset is what the templates of the password reset email may say.
type passwordReset struct {
	Brand, FirstName, Link, ValidFor string
}

// PasswordReset writes the email whose link, an absolute URL that carries the token, leads to the screen
// for a new password. The caller fills in To.
func PasswordReset(brandName, firstName, link string, validFor time.Duration) mail.Message {
	content := passwordReset{
		Brand: oneLine(brandName), FirstName: oneLine(firstName), Link: link, ValidFor: span(validFor),
	}
	return mail.Message{
		Subject: "Choose a new password for " + content.Brand,
		Text:    text("password_reset.txt", content),
		HTML:    html("password_reset.html", content),
	}
}

// passwordChanged is what the templates of the notice of a changed password may say.
type passwordChanged struct {
	Brand, FirstName, Link, At string
}

// PasswordChanged writes the notice that the password was changed at the instant. The link leads to the
// screen where a password reset is requested. The caller fills in To.
func PasswordChanged(brandName, firstName, link string, at time.Time) mail.Message {
	content := passwordChanged{
		Brand: oneLine(brandName), FirstName: oneLine(firstName), Link: link,
		At: at.UTC().Format("2 January 2006 at 15:04 UTC"),
	}
	return mail.Message{
		Subject: "Your password for " + content.Brand + " was changed",
		Text:    text("password_changed.txt", content),
		HTML:    html("password_changed.html", content),
	}
}
