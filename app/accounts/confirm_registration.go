package accounts

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// ConfirmRegistration verifies a registration with its password, in another browser than the one that
// registered.
type ConfirmRegistration struct {
	registrations registrations
	passwords     identity.Passwords
	session       sessionStart
}

// Do verifies the token's user and signs in; see SignIn for isKnown. NotFound when the token is unknown or too old, Credentials
// for a wrong password.
func (u *ConfirmRegistration) Do(ctx context.Context, token, password string, isKnown func(account.User) bool) error {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return err
	}
	matches, err := u.passwords.Verify(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		return fault.New(fault.Credentials, "This is not the password chosen at registration.")
	}
	if err := u.registrations.verify(ctx, user); err != nil {
		return err
	}
	return u.session.do(ctx, user, isKnown(user))
}
