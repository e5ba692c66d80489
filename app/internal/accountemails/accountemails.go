// Package accountemails writes the emails about a user's account and invitations, with the tokens in their links.
package accountemails

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

// Writer writes emails to users.
type Writer struct {
	PublicURL string // prefix of the links, without a slash at the end
	Sender    emails.Sender
}

// NewVerification returns a verification with a new token, and the email that contains the token. The token is valid
// until the registration expires, so another email does not extend the registration.
func (w Writer) NewVerification(user account.User, now time.Time) (account.Verification, mail.Message) {
	token := rand.Text()
	expiresAt := user.RegistrationExpiresAt()
	email := emails.Verification(w.Sender, w.link("/vc-admin/auth/verify", token), expiresAt.Sub(now))
	email.To = user.Email
	return account.Verification{TokenHash: ids.Hash(token), UserID: user.ID, ExpiresAt: expiresAt}, email
}

// NewPasswordReset returns a password reset with a new token, and the email that contains the token.
func (w Writer) NewPasswordReset(user account.User, now time.Time) (account.PasswordReset, mail.Message) {
	token := rand.Text()
	firstName := ""
	if user.IsVerified() {
		firstName = user.FirstName // anyone can register an address, with any name
	}
	email := emails.PasswordReset(w.Sender, firstName, w.link("/vc-admin/auth/reset", token), account.PasswordResetLifetime)
	email.To = user.Email
	return account.PasswordReset{
		TokenHash: ids.Hash(token), UserID: user.ID, ExpiresAt: now.Add(account.PasswordResetLifetime),
	}, email
}

// NewUndo returns the hash of a new token of an account.Undo, and the function that returns the security email with its link.
func (w Writer) NewUndo(
	newEmail func(emails.SecurityNotice) mail.Message,
) (tokenHash string, newUndoEmail func(emails.SecurityNotice) mail.Message) {
	token := rand.Text()
	return ids.Hash(token), func(n emails.SecurityNotice) mail.Message {
		n.Link = w.link("/vc-admin/auth/undo", token)
		return newEmail(n)
	}
}

// NewEmailChange returns the change to an address with a new token, and the email to the address. If the address is in use,
// the email contains a notice instead of the token, so that the change can't be confirmed.
func (w Writer) NewEmailChange(address string, isInUse bool) (account.EmailChange, mail.Message) {
	token := rand.Text()
	email := emails.EmailChangeConfirmation(w.Sender, w.link("/vc-admin/auth/email", token), account.EmailChangeLifetime)
	if isInUse {
		email = emails.EmailInUse(w.Sender, w.PublicURL+"/vc-admin/auth/forgot")
	}
	email.To = account.EmailKey(address)
	return account.EmailChange{TokenHash: ids.Hash(token), Email: address}, email
}

// InvitationEmail returns the email that contains the token of the invitation to the organisation.
func (w Writer) InvitationEmail(org account.Organisation, inv account.Invitation, token string) mail.Message {
	name := ""
	if emails.CanNameOrganisation(org.Name, org.Billing.License() != nil) {
		name = org.Name
	}
	email := emails.InvitationEmail(emails.Invitation{
		Sender: w.Sender, Organisation: name, Email: inv.Email, Role: inv.Role,
		Link: w.link("/vc-admin/auth/invitation", token), Lifetime: account.InvitationLifetime,
	})
	email.To = inv.Email
	return email
}

// link returns an absolute link with a token.
func (w Writer) link(path, token string) string {
	return w.PublicURL + path + "?token=" + url.QueryEscape(token)
}

// SecurityEmail calls newEmail with the user's SecurityNotice and addresses the email to the user.
func (w Writer) SecurityEmail(
	newEmail func(emails.SecurityNotice) mail.Message, user account.User, now time.Time, zone timezone.Zone,
) mail.Message {
	email := newEmail(w.SecurityNotice(user, now, zone))
	email.To = user.Email
	return email
}

// SecurityNotice returns the data of an email about the user's sign-ins, password or factors. It shows the time in the zone.
func (w Writer) SecurityNotice(user account.User, now time.Time, zone timezone.Zone) emails.SecurityNotice {
	return emails.SecurityNotice{
		Sender: w.Sender, FirstName: user.FirstName, Link: w.PublicURL + "/vc-admin/auth/forgot", At: zone.DateTime(now),
	}
}
