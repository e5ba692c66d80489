package accounts

import (
	"crypto/rand"
	"net/url"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/mail"
)

// emailWriter writes the emails about a user's account, with their tokens.
type emailWriter struct {
	publicURL string
	sender    emails.Sender
}

// newVerification returns a verification with a new token, and the email that contains the token. The token is valid
// until the registration expires, so another email does not extend the registration.
func (w emailWriter) newVerification(user account.User, now time.Time) (account.Verification, mail.Message) {
	token := rand.Text()
	link := w.publicURL + "/vc-admin/auth/verify?token=" + url.QueryEscape(token)
	expiresAt := user.RegistrationExpiresAt()
	email := emails.Verification(w.sender, link, expiresAt.Sub(now))
	email.To = user.Email
	return account.Verification{TokenHash: ids.Hash(token), UserID: user.ID, ExpiresAt: expiresAt}, email
}

// newPasswordReset returns a password reset with a new token, and the email that contains the token.
func (w emailWriter) newPasswordReset(user account.User, now time.Time) (account.PasswordReset, mail.Message) {
	token := rand.Text()
	link := w.publicURL + "/vc-admin/auth/reset?token=" + url.QueryEscape(token)
	firstName := ""
	if user.IsVerified() {
		firstName = user.FirstName // anyone can register an address, with any name
	}
	email := emails.PasswordReset(w.sender, firstName, link, account.PasswordResetLifetime)
	email.To = user.Email
	return account.PasswordReset{
		TokenHash: ids.Hash(token), UserID: user.ID, ExpiresAt: now.Add(account.PasswordResetLifetime),
	}, email
}

// newPasswordChangedEmail returns the email that notifies the user of a new password. It shows the time in the zone.
func (w emailWriter) newPasswordChangedEmail(user account.User, now time.Time, zone timezone.Zone) mail.Message {
	email := emails.PasswordChangedByLink(w.newSecurityNotice(user, now, zone))
	email.To = user.Email
	return email
}

// newSignInEmail returns the email that notifies the user of a sign-in from an unknown browser. It shows the time in the
// zone.
func (w emailWriter) newSignInEmail(user account.User, now time.Time, zone timezone.Zone) mail.Message {
	email := emails.NewSignIn(w.newSecurityNotice(user, now, zone))
	email.To = user.Email
	return email
}

// newSecurityNotice returns the data of an email about the user's sign-ins, password or factors. It shows the time in the zone.
func (w emailWriter) newSecurityNotice(user account.User, now time.Time, zone timezone.Zone) emails.SecurityNotice {
	return emails.SecurityNotice{
		Sender: w.sender, FirstName: user.FirstName, Link: w.forgotPasswordLink(), At: zone.DateTime(now),
	}
}

func (w emailWriter) forgotPasswordLink() string { return w.publicURL + "/vc-admin/auth/forgot" }
