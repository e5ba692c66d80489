package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// SignIn starts a session for somebody who knows the password.
type SignIn struct {
	users     storage.Users
	passwords identity.Passwords
	sessions  identity.Sessions
	clock     clock.Clock
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
		return errWrongPassword()
	case !user.Verified():
		return fault.New(fault.Unverified, "Please verify your e-mail address first: follow the link we sent you.")
	}
	return startSession(ctx, u.users, u.sessions, user)
}

// startSession starts a session of a user whose password was right. A password reset ends the sessions
// that it finds, so the password is compared once more after the session was stored.
func startSession(ctx context.Context, users storage.Users, sessions identity.Sessions, user account.User) error {
	err := sessions.Start(ctx, identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID})
	if err != nil {
		return err
	}
	_, err = users.UpdateUser(ctx, user.ID, func(stored *account.User) error {
		if stored.PasswordHash != user.PasswordHash {
			return errWrongPassword()
		}
		return nil
	})
	if fault.Is(err, fault.NotFound) {
		err = errWrongPassword()
	}
	if err != nil {
		if failed := sessions.End(ctx); failed != nil {
			return failed
		}
	}
	return err
}

func errWrongPassword() error {
	return fault.New(fault.Credentials, "The e-mail or the password is not right.")
}

// find returns a user without a password hash for an unknown e-mail, as which an expired registration
// counts.
func (u *SignIn) find(ctx context.Context, email string) (account.User, error) {
	user, err := u.users.UserByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) {
		return account.User{}, nil
	}
	if err == nil && user.RegistrationExpired(u.clock.Now()) {
		return account.User{}, nil
	}
	return user, err
}
