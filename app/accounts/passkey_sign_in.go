package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/states"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// RequestPasskey returns the options with which a browser signs in with a passkey.
type RequestPasskey struct {
	passkeys identity.Passkeys
	clock    clock.Clock
	key      []byte
}

// Do returns the options for the browser, in JSON, and the state for SignInWithPasskey. It stores nothing. It returns
// Unsupported if browsers have no passkeys for the public URL.
func (u *RequestPasskey) Do() (options []byte, state string, err error) {
	if u.passkeys == nil {
		return nil, "", account.ErrNoPasskeys()
	}
	options, challenge, err := u.passkeys.NewSignIn()
	if err != nil {
		return nil, "", err
	}
	state, err = states.State{
		Purpose: states.PasskeySignIn, Challenge: challenge, ExpiresAt: u.clock.Now().Add(account.ChallengeLifetime),
	}.Sign(u.key)
	return options, state, err
}

// SignInWithPasskey starts a session for a user with a passkey, which needs no other factor.
type SignInWithPasskey struct {
	store    storage.Credentials
	passkeys identity.Passkeys
	starter  sessionStarter
	refused  *refusedSignIns
	clock    clock.Clock
	log      *slog.Logger
	key      []byte
}

// PasskeyLogin is the response of a browser to the options of RequestPasskey.
type PasskeyLogin struct {
	State          string
	Response       []byte
	OrganisationID string // see Login
	Network        string // see Login
}

// Do signs in the owner of the passkey with which the browser has responded; see SignIn for isKnownBrowser. It returns
// Credentials, with the same message, for every response that does not sign in: one to a state that is unknown, too old
// or was used before, and one of an unknown or refused passkey.
func (u *SignInWithPasskey) Do(
	ctx context.Context, login PasskeyLogin, isKnownBrowser func(account.User) bool,
) error {
	if u.passkeys == nil {
		return account.ErrNoPasskeys()
	}
	user, err := u.verify(ctx, login)
	switch fault.CodeOf(err) {
	case "":
		if user, err = u.starter.selectOrganisation(ctx, user, login.OrganisationID); err != nil {
			return err
		}
		return u.starter.start(ctx, user, isKnownBrowser(user), identity.PasskeyMethod)
	case fault.NotFound, fault.Conflict, fault.Credentials:
		u.log.InfoContext(ctx, "sign-in refused", "reason", "passkey")
		return fault.Wrap(err, fault.Credentials, "This passkey can't be used to sign in. Please sign in with your password.")
	default:
		return err
	}
}

// verify returns the owner of the passkey after it has recorded the use of the passkey and of the challenge.
func (u *SignInWithPasskey) verify(ctx context.Context, login PasskeyLogin) (account.User, error) {
	now := u.clock.Now()
	state, err := states.Read(u.key, login.State, states.PasskeySignIn, now)
	if err != nil {
		return account.User{}, err
	}
	userID, credentialID, err := u.passkeys.Owner(login.Response)
	if err != nil {
		return account.User{}, err
	}
	var refusedUser account.User
	user, err := u.store.UpdateCredentials(ctx, userID, now, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		refusedUser = c.User
		authenticator := c.PasskeyByCredential(credentialID)
		if authenticator == nil {
			return storage.CredentialsEffects{}, fault.New(fault.NotFound, "there is no such passkey")
		}
		passkey, err := u.passkeys.SignIn(userID, authenticator.Passkey, state.Challenge, login.Response)
		if err != nil {
			return storage.CredentialsEffects{}, err
		}
		refusedUser = account.User{}
		authenticator.Passkey, authenticator.LastUsedAt = passkey, now
		return storage.CredentialsEffects{
			Challenge: &account.UsedChallenge{Hash: ids.Hash(state.Challenge), ExpiresAt: state.ExpiresAt},
		}, nil
	})
	if err != nil {
		u.refused.add(refusedUser, identity.PasskeyMethod, login.Network) // once, also if the change was repeated
	}
	return user, err
}
