package app

import (
	"crypto/rand"
	"net/url"

	"github.com/vc-admin/diy/app/letters"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

// verificationLetters writes the letters that verify e-mail addresses.
type verificationLetters struct {
	clock     clock.Clock
	publicURL string
	brand     string
}

// compose makes a fresh token: the letter carries it, the database only its hash. It is valid until
// the registration expires, so that sending it again keeps no registration alive.
func (l verificationLetters) compose(user account.User) (account.Verification, mail.Message) {
	token := rand.Text()
	link := l.publicURL + "/vc-admin/auth/verify?token=" + url.QueryEscape(token)
	until := user.RegistrationExpires()
	letter := letters.Verification(l.brand, user.FirstName, link, until.Sub(l.clock.Now()))
	letter.To = user.Email
	return account.Verification{TokenHash: hash(token), UserID: user.ID, ExpiresAt: until}, letter
}
