package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// SignIn starts a session for somebody who knows the password.
type SignIn struct {
	users     storage.Users
	passwords identity.Passwords
	sessions  identity.Sessions
}

// Do signs in. An unknown e-mail and a wrong password are the same Credentials fault after the
// same work. Unverified, when the password was right but the e-mail is not verified yet.
func (u *SignIn) Do(ctx context.Context, email, password string) error {
	user, err := u.find(ctx, email)
	if err != nil {
		return err
	}
	right, err := u.passwords.Verify(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	switch {
	case !right:
		return fault.New(fault.Credentials, "The e-mail or the password is not right.")
	case !user.Verified():
		return fault.New(fault.Unverified, "Please verify your e-mail address first: follow the link we sent you.")
	}
	return u.sessions.Start(ctx, identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID})
}

// find returns a user without a password hash for an unknown e-mail.
func (u *SignIn) find(ctx context.Context, email string) (account.User, error) {
	user, err := u.users.UserByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) {
		return account.User{}, nil
	}
	return user, err
}
