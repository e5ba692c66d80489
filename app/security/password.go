package security

import (
	"context"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ChangePassword replaces the password of the signed-in user.
type ChangePassword struct {
	updater   credentialsUpdater
	store     storage.Users
	passwords identity.Passwords
	rules     newpassword.Rules
}

// Do verifies the current password, replaces it, ends the user's other sessions and password resets, and reports the
// change by email. It returns the changed user. It returns Invalid with a message for "current", "password" or
// "password_repeat"; IsWrongPassword recognises the first.
func (u *ChangePassword) Do(
	ctx context.Context, caller identity.Identity, current, password, repeat string,
) (account.User, error) {
	if err := caller.RequireFresh(u.updater.clock.Now()); err != nil {
		return account.User{}, err
	}
	user, org, err := u.store.UserWithOrganisation(ctx, caller.UserID, caller.OrganisationID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, errSignedOut())
	}
	if err := u.rules.CheckRepeated(password, repeat, newpassword.ContextOf(user, org.Name)); err != nil {
		return account.User{}, err
	}
	if err := u.verify(ctx, current, user.PasswordHash); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, password)
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

func (u *ChangePassword) verify(ctx context.Context, current, hash string) error {
	matches, err := u.passwords.Verify(ctx, current, hash)
	if err == nil && !matches {
		return errWrongPassword()
	}
	return err
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
