package app

import (
	"crypto/rand"
	"net/url"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// passwordEmails writes the emails about passwords.
type passwordEmails struct {
	publicURL string
	brand     string
}

// reset makes a fresh token: the email carries it, the database only its hash.
func (l passwordEmails) reset(user account.User, now time.Time) (account.PasswordReset, mail.Message) {
	token := rand.Text()
	link := l.publicURL + "/vc-admin/auth/reset?token=" + url.QueryEscape(token)
	email := emails.PasswordReset(l.brand, user.FirstName, link, account.PasswordResetLifetime)
	email.To = user.Email
	return account.PasswordReset{
		TokenHash: hash(token), UserID: user.ID, ExpiresAt: now.Add(account.PasswordResetLifetime),
	}, email
}

// changed tells the user that the password was changed.
func (l passwordEmails) changed(user account.User, now time.Time) mail.Message {
	email := emails.PasswordChanged(l.brand, user.FirstName, l.publicURL+"/vc-admin/auth/forgot", now)
	email.To = user.Email
	return email
}
