package emails

import (
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

// passwordReset contains the values for the password_reset templates.
type passwordReset struct {
	Brand, FirstName, Link, ValidFor string
}

// PasswordReset returns the email with the link for choosing a new password. The link is an absolute URL
// that contains the token. The caller sets To.
func PasswordReset(brandName, firstName, link string, validFor time.Duration) mail.Message {
	content := passwordReset{
		Brand: oneLine(brandName), FirstName: oneLine(firstName), Link: link, ValidFor: formatDuration(validFor),
	}
	return mail.Message{
		Subject: "Choose a new password for " + content.Brand,
		Text:    text("password_reset.txt", content),
		HTML:    html("password_reset.html", content),
	}
}

// passwordChanged contains the values for the password_changed templates.
type passwordChanged struct {
	Brand, FirstName, Link, At string
}

// PasswordChanged returns the email that confirms a change of the password at the given time. The link
// opens the screen on which the user requests a password reset. The caller sets To.
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
