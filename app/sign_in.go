package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// SignIn starts a session for a user who enters the correct password.
type SignIn struct {
	users     storage.Users
	passwords identity.Passwords
	sessions  identity.Sessions
	clock     clock.Clock
}

// Do signs the user in. An unknown email address and a wrong password are both Credentials, with the same
// message and the same response time. A correct password for an unverified address is Unverified.
func (u *SignIn) Do(ctx context.Context, email, password string) error {
	user, err := u.find(ctx, email)
	if err != nil {
		return err
	}
	matches, err := u.passwords.Verify(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	switch {
	case !matches:
		return errWrongPassword()
	case !user.Verified():
		return fault.New(fault.Unverified, "Please verify your email address first: follow the link we sent you.")
	}
	return startSession(ctx, u.users, u.sessions, user)
}

// startSession starts a session of a user whose password was verified. A concurrent password reset may
// not have ended the new session, so startSession compares the password again after it was stored.
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
	if err = replaceNotFound(err, errWrongPassword()); err != nil {
		if failed := sessions.End(ctx); failed != nil {
			return failed
		}
	}
	return err
}

func errWrongPassword() error {
	return fault.New(fault.Credentials, "The email or the password is not right.")
}

// find returns the user, or the zero User for an unknown email address or an expired registration. Its password hash
// is empty, which no password matches.
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

// SignOut ends the session.
type SignOut struct{ sessions identity.Sessions }

// Do deletes the session on the server. Without a session it does nothing.
func (u *SignOut) Do(ctx context.Context) error { return u.sessions.End(ctx) }
