package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ForgotPassword requests a password reset email.
type ForgotPassword struct{ requester emailRequester }

// Do stores the request for SendRequestedEmails. Of several registrations with the address, the one that was made in
// this browser gets the email; isRegisteringBrowser reports it, and may be nil. The result is the same for every address.
func (u *ForgotPassword) Do(ctx context.Context, email string, isRegisteringBrowser func(account.User) bool) error {
	return u.requester.request(ctx, storage.PasswordResetEmail, email, isRegisteringBrowser)
}

// ResetPassword replaces the password of a user who opened the link in a password reset email.
type ResetPassword struct {
	store interface {
		storage.PasswordResets
		storage.Users
		storage.Organisations
	}
	verifier  registrationVerifier
	passwords identity.Passwords
	sessions  identity.Sessions
	clock     clock.Clock
	writer    emailWriter
	log       *slog.Logger
}

// Do replaces the password, verifies the email address, ends all sessions of the user and sends a notification. It
// returns the user with the new password. For a password that breaks the rules it returns Invalid with a message for
// each field. It returns NotFound when the token is unknown, too old or was used, and Conflict when the user is not
// verified and another one with the same organisation name or address is.
func (u *ResetPassword) Do(ctx context.Context, token, password, repeatedPassword string) (account.User, error) {
	if err := u.check(password, repeatedPassword); err != nil {
		return account.User{}, err
	}
	user, err := u.find(ctx, token)
	if err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, password)
	if err != nil {
		return account.User{}, err
	}
	user, err = u.replacePassword(ctx, token, user, passwordHash)
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

func (u *ResetPassword) check(password, repeatedPassword string) error {
	var fields fault.Fields
	for _, field := range fault.FieldsOf(account.ValidateNewPassword(password, repeatedPassword)) {
		fields.Add(field.Name, field.Message)
	}
	fields.Check(!u.passwords.IsCommon(password), "password", tooCommonMessage)
	return fields.Err()
}

// find returns the user of the token.
func (u *ResetPassword) find(ctx context.Context, token string) (account.User, error) {
	reset, err := u.store.PasswordReset(ctx, ids.Hash(token))
	now := u.clock.Now()
	if err == nil && reset.IsExpired(now) {
		return account.User{}, errUnknownReset()
	}
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, errUnknownReset())
	}
	user, err := u.store.User(ctx, reset.UserID)
	return user, fault.ReplaceNotFound(err, errUnknownReset())
}

// replacePassword stores the password and makes the token unusable, in one transaction. It returns the changed user.
func (u *ResetPassword) replacePassword(
	ctx context.Context, token string, user account.User, passwordHash string,
) (account.User, error) {
	org, err := u.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, errUnknownReset())
	}
	now, isNewlyVerified := u.clock.Now(), false
	email := u.writer.newPasswordChangedEmail(user, now, org.TimeZone())
	user, err = u.store.UsePasswordReset(ctx, ids.Hash(token), email, now, func(storedUser *account.User) error {
		if storedUser.IsRegistrationExpired(now) {
			return errUnknownReset()
		}
		isNewlyVerified = !storedUser.IsVerified()
		storedUser.ResetPassword(passwordHash, now)
		return nil
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
