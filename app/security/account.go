package security

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowAccount reads the credentials and sessions of the signed-in user.
type ShowAccount struct {
	store    storage.Credentials
	sessions identity.Sessions
}

// Do returns the user's credentials and sessions. The session that was used last is the first.
func (u *ShowAccount) Do(ctx context.Context, caller identity.Identity) (account.Credentials, []identity.Session, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.Credentials{}, nil, err
	}
	credentials, err := u.store.Credentials(ctx, caller.UserID)
	if err != nil {
		return account.Credentials{}, nil, fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	sessions, err := u.sessions.List(ctx)
	return credentials, sessions, err
}

// EditProfile changes the names and the phone number of the signed-in user.
type EditProfile struct{ store storage.Users }

// Do stores the profile and returns the changed user. It returns Invalid with a message for each invalid field.
func (u *EditProfile) Do(ctx context.Context, caller identity.Identity, profile account.Profile) (account.User, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.User{}, err
	}
	profile, err := profile.Normalise()
	if err != nil {
		return account.User{}, err
	}
	user, err := u.store.UpdateUser(ctx, caller.UserID, func(user *account.User) error {
		user.SetProfile(profile)
		return nil
	})
	return user, fault.ReplaceNotFound(err, identity.ErrSignedOut())
}

// EndSession ends a session of the signed-in user.
type EndSession struct {
	sessions identity.Sessions
	clock    clock.Clock
}

// Do ends the session with the id. It returns NotFound for an unknown session and for one of another user.
func (u *EndSession) Do(ctx context.Context, caller identity.Identity, id string) error {
	if err := caller.RequireFresh(u.clock.Now()); err != nil {
		return err
	}
	return u.sessions.EndByID(ctx, id)
}

// EndOtherSessions ends the sessions of the signed-in user except that of the request.
type EndOtherSessions struct {
	sessions identity.Sessions
	clock    clock.Clock
}

// Do ends all sessions of the caller except the current one.
func (u *EndOtherSessions) Do(ctx context.Context, caller identity.Identity) error {
	if err := caller.RequireFresh(u.clock.Now()); err != nil {
		return err
	}
	return u.sessions.EndOthers(ctx)
}
