package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// ForgotPassword requests a password reset email.
type ForgotPassword struct{ requester emailRequester }

// Do stores the request for SendRequestedEmails. Of several registrations with the address, the one that was made in this
// browser gets the email. isRegisteringBrowser reports whether a user registered in this browser, and may be nil. The
// result is the same for every address.
func (u *ForgotPassword) Do(ctx context.Context, email string, isRegisteringBrowser func(account.User) bool) error {
	return u.requester.request(ctx, storage.PasswordResetEmail, email, isRegisteringBrowser)
}

// ResetPassword replaces the password of a user who opened the link in a password reset email.
type ResetPassword struct {
	store interface {
		storage.PasswordResets
		storage.Credentials
		storage.Users
		storage.Organisations
	}
	verifier  registrationVerifier
	passwords identity.Passwords
	rules     newpassword.Rules
	sessions  identity.Sessions
	clock     clock.Clock
	writer    accountemails.Writer
	log       *slog.Logger
}

// Do replaces the password, verifies the email address, ends all sessions of the user and sends a notification. It
// returns the user with the new password. For a password that breaks the rules it returns Invalid with a message for
// each field. It returns NotFound when the token is unknown, too old or was used, and Conflict when the user is not
// verified and another one with the same organisation name or address is.
func (u *ResetPassword) Do(ctx context.Context, token, password, repeatedPassword string) (account.User, error) {
	// This check needs no user, so that a password that breaks the policy is reported even if the token is unknown. The
	// check below also refuses words of the user and of the organisation.
	if err := u.rules.CheckRepeated(password, repeatedPassword, newpassword.ContextOf(account.User{}, "")); err != nil {
		return account.User{}, err
	}
	user, org, err := u.find(ctx, token)
	if err != nil {
		return account.User{}, err
	}
	if err := u.rules.CheckRepeated(password, repeatedPassword, newpassword.ContextOf(user, org.Name)); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, password)
	if err != nil {
		return account.User{}, err
	}
	user, err = u.replacePassword(ctx, token, user, org, passwordHash)
	if err != nil {
		return account.User{}, err
	}
	if session, ok := u.sessions.Current(ctx); ok && session.UserID == user.ID {
		// The session is deleted already; this deletes the browser's cookie.
		if err := u.sessions.End(ctx); err != nil {
			u.log.WarnContext(ctx, "session cookie not deleted", "error", err)
		}
	}
	return user, nil
}

// find returns the user of the token and the organisation.
func (u *ResetPassword) find(ctx context.Context, token string) (account.User, account.Organisation, error) {
	reset, err := u.store.PasswordReset(ctx, ids.Hash(token))
	now := u.clock.Now()
	if err == nil && reset.IsExpired(now) {
		return account.User{}, account.Organisation{}, errUnknownReset()
	}
	if err != nil {
		return account.User{}, account.Organisation{}, fault.ReplaceNotFound(err, errUnknownReset())
	}
	user, err := u.store.User(ctx, reset.UserID)
	if err != nil {
		return account.User{}, account.Organisation{}, fault.ReplaceNotFound(err, errUnknownReset())
	}
	org, err := u.store.Organisation(ctx, user.OrganisationID)
	return user, org, fault.ReplaceNotFound(err, errUnknownReset())
}

// replacePassword stores the password and makes the token unusable, in one transaction. It returns the changed user.
func (u *ResetPassword) replacePassword(
	ctx context.Context, token string, user account.User, org account.Organisation, passwordHash string,
) (account.User, error) {
	now, isNewlyVerified := u.clock.Now(), false
	email := u.writer.SecurityEmail(emails.PasswordChangedByLink, user, now, org.TimeZone())
	user, err := u.store.UpdateCredentials(ctx, user.ID, now, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		isNewlyVerified = !c.User.IsVerified()
		if c.User.IsRegistrationExpired(now) || !c.ResetPassword(ids.Hash(token), passwordHash, now) {
			return storage.CredentialsEffects{}, errUnknownReset()
		}
		return storage.CredentialsEffects{Emails: []mail.Message{email}}, nil
	})
	if fault.Is(err, fault.Duplicate) {
		return account.User{}, errVerifiedByAnother(fault.FieldsOf(err))
	}
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, errUnknownReset())
	}
	u.verifier.completeVerification(ctx, user, isNewlyVerified)
	return user, nil
}

// errVerifiedByAnother is the error for a registration that lost its name or its address before the password was reset.
func errVerifiedByAnother(takenFields []fault.Field) error {
	for _, field := range takenFields {
		if field.Name == "email" {
			return fault.New(fault.Conflict, "Another registration with this email address was verified first. "+
				"Please request another link, which sets the password of that registration.")
		}
	}
	return fault.New(fault.Conflict,
		"Another registration with this organisation name was verified first. Please register again with another name.")
}

func errUnknownReset() error {
	return fault.New(fault.NotFound, "This link is unknown, too old or was used before.")
}
