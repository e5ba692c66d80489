package app

import (
	"crypto/rand"
	"net/url"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

// verificationEmails writes the emails that verify e-mail addresses.
type verificationEmails struct {
	clock     clock.Clock
	publicURL string
	brand     string
}

// compose makes a fresh token: the email carries it, the database only its hash. It is valid until
// the registration expires, so that sending it again keeps no registration alive.
func (l verificationEmails) compose(user account.User) (account.Verification, mail.Message) {
	token := rand.Text()
	link := l.publicURL + "/vc-admin/auth/verify?token=" + url.QueryEscape(token)
	until := user.RegistrationExpires()
	email := emails.Verification(l.brand, user.FirstName, link, until.Sub(l.clock.Now()))
	email.To = user.Email
	return account.Verification{TokenHash: hash(token), UserID: user.ID, ExpiresAt: until}, email
}
