package security

import (
	"context"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/states"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// StartPasskey returns the options with which a browser creates a passkey.
type StartPasskey struct {
	store    storage.Credentials
	passkeys identity.Passkeys
	clock    clock.Clock
	key      []byte
}

// Do returns the options for the browser, in JSON, and the state for AddPasskey. It stores nothing. It returns Unsupported
// if browsers have no passkeys for the public URL.
func (u *StartPasskey) Do(ctx context.Context, caller identity.Identity) (options []byte, state string, err error) {
	now := u.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return nil, "", err
	}
	if u.passkeys == nil {
		return nil, "", account.ErrNoPasskeys()
	}
	credentials, err := u.store.Credentials(ctx, caller.UserID)
	if err != nil {
		return nil, "", fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	options, challenge, err := u.passkeys.NewRegistration(credentials.User, credentials.Passkeys())
	if err != nil {
		return nil, "", err
	}
	state, err = states.State{
		Purpose: states.AddPasskey, UserID: caller.UserID, Revision: credentials.User.SecurityRevision, Challenge: challenge,
		ExpiresAt: now.Add(account.ChallengeLifetime),
	}.Sign(u.key)
	return options, state, err
}

// AddPasskey adds a passkey.
type AddPasskey struct {
	updater  credentialsUpdater
	passkeys identity.Passkeys
	key      []byte
}

// Do adds the passkey with which the browser has responded to the options of StartPasskey, and returns the changed user. It
// returns NotFound for a state that is unknown, too old or was used, Invalid for another response and for an invalid
// name, and Conflict if the user has too many passkeys or has this one.
func (u *AddPasskey) Do(
	ctx context.Context, caller identity.Identity, stateText, name string, response []byte,
) (account.User, error) {
	now := u.updater.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return account.User{}, err
	}
	if u.passkeys == nil {
		return account.User{}, account.ErrNoPasskeys()
	}
	state, err := states.Read(u.key, stateText, states.AddPasskey, now)
	if err != nil {
		return account.User{}, err
	}
	passkey, err := u.passkeys.Register(caller.UserID, state.Challenge, response)
	if err != nil {
		return account.User{}, err
	}
	authenticator := account.Authenticator{ID: ids.New("auth"), Name: name, CreatedAt: now, Passkey: passkey}
	return u.updater.updateUndoable(ctx, caller, emails.PasskeyAdded, func(c *account.Credentials) error {
		if err := state.Check(c.User); err != nil {
			return err
		}
		return c.AddPasskey(authenticator)
	})
}

// RenamePasskey changes the name of a passkey.
type RenamePasskey struct {
	store storage.Credentials
	clock clock.Clock
}

// Do renames the passkey. It returns NotFound for an unknown id, and Invalid for an invalid name.
func (u *RenamePasskey) Do(ctx context.Context, caller identity.Identity, id, name string) error {
	now := u.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return err
	}
	_, err := u.store.UpdateCredentials(ctx, caller.UserID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			return storage.CredentialsEffects{}, c.RenamePasskey(id, name)
		})
	return err
}

// RemovePasskey removes a passkey.
type RemovePasskey struct{ updater credentialsUpdater }

// Do removes the passkey and returns the changed user. It returns NotFound for an unknown id.
func (u *RemovePasskey) Do(ctx context.Context, caller identity.Identity, id string) (account.User, error) {
	return u.updater.update(ctx, caller, emails.PasskeyRemoved, func(c *account.Credentials) error {
		return c.RemovePasskey(id)
	})
}
