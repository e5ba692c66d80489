package accounts_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

func TestSignIn_StartsASessionAndSignOutEndsIt(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	require.NoError(t, f.SignIn.Do(t.Context(), accounts.Login{Email: "ANN@example.com", Password: "Tide-And-Time-7"}, knownBrowser))
	f.assertSignedIn(caller)
	sessions, err := f.Session.List(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []identity.Method{identity.PasswordMethod}, sessions[0].Methods)
	assert.Equal(t, f.Clock.Now(), sessions[0].AuthenticatedAt)
	for range 2 {
		require.NoError(t, f.SignOut.Do(t.Context()))
	}
	_, isSignedIn := f.Session.Current(t.Context())
	assert.False(t, isSignedIn)
}

func knownBrowser(account.User) bool   { return true }
func unknownBrowser(account.User) bool { return false }

func TestSignIn_NotifiesOfAnUnknownBrowserExceptAtTheFirstSignIn(t *testing.T) {
	f := newFixture(t)
	f.signUp()
	signInAndListSubjects := func(isKnownBrowser func(account.User) bool) []string {
		emailCount := len(f.Mailbox.Emails())
		require.NoError(t, f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "Tide-And-Time-7"}, isKnownBrowser))
		f.DeliverEmails(f.UseCases)
		var subjects []string
		for _, email := range f.Mailbox.Emails()[:len(f.Mailbox.Emails())-emailCount] {
			assert.Equal(t, "ann@example.com", email.To)
			subjects = append(subjects, email.Subject)
		}
		return subjects
	}
	assert.Empty(t, signInAndListSubjects(unknownBrowser), "the first sign-in")
	assert.Empty(t, signInAndListSubjects(knownBrowser))
	for range 2 {
		assert.Equal(t, []string{"New sign-in to your Vision account"}, signInAndListSubjects(unknownBrowser))
	}
	text := f.Mailbox.Emails()[0].Text
	assert.Contains(t, text, "was signed in to on 1 March 2026 at 11:00 pm AEDT")
	assert.Contains(t, text, "https://diy.test/vc-admin/auth/forgot")

	assertCode(t, fault.Credentials, f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "wrong"}, unknownBrowser))
	f.DeliverEmails(f.UseCases)
	assert.Equal(t, text, f.Mailbox.Emails()[0].Text, "a failed attempt sends no email")
}

func TestSignIn_UnknownExpiredOrUnverifiedUserReturnsTheErrorOfAWrongPassword(t *testing.T) {
	f := newFixture(t)
	f.signUpUnverified()
	assertCode(t, fault.Unverified, f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "Tide-And-Time-7"}, knownBrowser))
	unverifiedErr := f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "wrong"}, knownBrowser)
	unknownErr := f.SignIn.Do(t.Context(), accounts.Login{Email: "ben@example.com", Password: "Tide-And-Time-7"}, knownBrowser)
	f.Advance(account.VerificationLifetime)
	expiredErr := f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "Tide-And-Time-7"}, knownBrowser)
	f.signUp()
	wrongErr := f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "wrong"}, knownBrowser)

	assertCode(t, fault.Credentials, wrongErr)
	for name, err := range map[string]error{"unknown": unknownErr, "unverified": unverifiedErr, "expired": expiredErr} {
		assert.Equal(t, wrongErr, err, name)
	}
	_, isSignedIn := f.Session.Current(t.Context())
	assert.False(t, isSignedIn)
}

// sessionsWithHook implements identity.Sessions. It calls afterStart after it has started a session.
type sessionsWithHook struct {
	identity.Sessions
	afterStart func()
}

func (s sessionsWithHook) Start(ctx context.Context, caller identity.Identity, methods ...identity.Method) error {
	err := s.Sessions.Start(ctx, caller, methods...)
	s.afterStart()
	return err
}

func TestSignIn_EndsTheSessionWhenThePasswordWasResetInTheMeantime(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	server := app.New(app.Ports{
		Store: f.Store, Clock: f.Clock, Passwords: plainPasswords{},
		Sessions: sessionsWithHook{f.Session, func() {
			_, err := f.Store.UpdateUser(t.Context(), caller.UserID, func(u *account.User) error {
				u.ResetPassword("another", f.Clock.Now())
				return nil
			})
			assert.NoError(t, err)
		}},
	})
	assertCode(t, fault.Credentials, server.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "Tide-And-Time-7"}, knownBrowser))
	_, isSignedIn := f.Session.Current(t.Context())
	assert.False(t, isSignedIn)
}
