package security

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ChangePassword replaces the password of the signed-in user.
type ChangePassword struct {
	updater credentialsUpdater
	store   interface {
		storage.Users
		storage.AuditLog
	}
	passwords identity.Passwords
	rules     newpassword.Rules
	log       *slog.Logger
}

// PasswordChange contains what a user enters to change the password.
type PasswordChange struct {
	Current, Password, Repeat string
	Network                   string // of the client, for the audit log; "" if it is unknown
}

// Do verifies the current password, replaces it, ends the user's other sessions and password resets, and reports the
// change by email. It returns the changed user. It returns Invalid with a message for "current", "password" or
// "password_repeat"; IsWrongPassword recognises the first, which is an entry of the audit log like a refused sign-in.
func (u *ChangePassword) Do(ctx context.Context, caller identity.Identity, change PasswordChange) (account.User, error) {
	if err := caller.RequireFresh(u.updater.clock.Now()); err != nil {
		return account.User{}, err
	}
	user, org, err := u.store.UserWithOrganisation(ctx, caller.UserID, caller.OrganisationID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	if err := u.rules.CheckRepeated(change.Password, change.Repeat, newpassword.ContextOf(user, org.Name)); err != nil {
		return account.User{}, err
	}
	if err := u.verify(ctx, user, change); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, change.Password)
	if err != nil {
		return account.User{}, err
	}
	return u.updater.update(ctx, caller, emails.PasswordChangedInSession, func(c *account.Credentials) error {
		if c.User.SecurityRevision != user.SecurityRevision {
			return errWrongPassword() // another change was made since the password was verified
		}
		c.User.ChangePassword(passwordHash)
		return nil
	})
}

// verify verifies the current password. It returns errWrongPassword even if the entry about it can't be stored, because
// other errors do not count for the rate limit.
func (u *ChangePassword) verify(ctx context.Context, user account.User, change PasswordChange) error {
	matches, err := u.passwords.Verify(ctx, change.Current, user.PasswordHash)
	if err != nil || matches {
		return err
	}
	if err := u.store.AddAuditEntries(ctx, account.WrongPasswordEntry(user, change.Network)); err != nil {
		u.log.ErrorContext(ctx, "wrong current password not recorded", "error", err)
	}
	return errWrongPassword()
}

const currentPasswordField = "current"

func errWrongPassword() error {
	var fields fault.Fields
	fields.Add(currentPasswordField, "This is not your current password")
	return fields.Err()
}

// IsWrongPassword reports whether ChangePassword has refused the current password.
func IsWrongPassword(err error) bool {
	fields := fault.FieldsOf(err)
	return len(fields) > 0 && fields[0].Name == currentPasswordField
}
