package app_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

func TestSignIn_StartsASessionAndSignOutEndsIt(t *testing.T) {
	f, caller := signUp(t)
	require.NoError(t, f.SignIn.Do(t.Context(), "ANN@example.com", "Secret123"))
	current, signedIn := f.Session.Current(t.Context())
	assert.True(t, signedIn)
	assert.Equal(t, caller, current)
	for range 2 {
		require.NoError(t, f.SignOut.Do(t.Context()))
	}
	_, signedIn = f.Session.Current(t.Context())
	assert.False(t, signedIn)
}

func TestSignIn_UnknownEmailAndWrongPasswordReturnTheSameError(t *testing.T) {
	f := newFixture(t)
	f.register()
	assertCode(t, fault.Unverified, f.SignIn.Do(t.Context(), "ann@example.com", "Secret123"))
	unverified := f.SignIn.Do(t.Context(), "ann@example.com", "wrong")
	unknown := f.SignIn.Do(t.Context(), "ben@example.com", "Secret123")
	f.Advance(account.VerificationLifetime)
	expired := f.SignIn.Do(t.Context(), "ann@example.com", "Secret123")
	f.signUp()
	wrong := f.SignIn.Do(t.Context(), "ann@example.com", "wrong")

	assertCode(t, fault.Credentials, wrong)
	for name, err := range map[string]error{"unknown": unknown, "unverified": unverified, "expired": expired} {
		assert.Equal(t, wrong, err, name)
	}
	_, signedIn := f.Session.Current(t.Context())
	assert.False(t, signedIn)
}

// interruptedSessions calls fn after a session was started.
type interruptedSessions struct {
	identity.Sessions
	fn func()
}

func (s interruptedSessions) Start(ctx context.Context, caller identity.Identity) error {
	err := s.Sessions.Start(ctx, caller)
	s.fn()
	return err
}

func TestSignIn_EndsTheSessionWhenThePasswordWasResetInTheMeantime(t *testing.T) {
	f, caller := signUp(t)
	server := app.New(app.Ports{
		Store: f.Store, Clock: f.Clock, Passwords: plainPasswords{},
		Sessions: interruptedSessions{f.Session, func() {
			_, err := f.Store.UpdateUser(t.Context(), caller.UserID, func(u *account.User) error {
				u.PasswordHash = "another"
				return nil
			})
			assert.NoError(t, err)
		}},
	})
	assertCode(t, fault.Credentials, server.SignIn.Do(t.Context(), "ann@example.com", "Secret123"))
	_, signedIn := f.Session.Current(t.Context())
	assert.False(t, signedIn)
}
