package accounts_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// fixture runs the use cases on SQLite, the fake provider and a clock that the test moves.
type fixture struct {
	*apptest.Env
	*app.UseCases
	t *testing.T
}

func newFixture(t *testing.T, options ...apptest.Option) *fixture {
	t.Helper()
	env := apptest.New(t, options...)
	return &fixture{Env: env, UseCases: env.App, t: t}
}

// signUpUnverified registers an organisation without verifying it.
func (f *fixture) signUpUnverified() account.User {
	f.t.Helper()
	user, err := f.App.SignUp.Do(f.t.Context(), apptest.Registration("ann"), nil)
	require.NoError(f.t, err)
	return user
}

// signUpTwiceWithOneName registers two organisations with the same name. The caller decides which one is verified.
func (f *fixture) signUpTwiceWithOneName() (first, second account.User) {
	f.t.Helper()
	first = f.signUpUnverified()
	reg := apptest.Registration("ben")
	reg.Org = apptest.Registration("ann").Org
	second, err := f.App.SignUp.Do(f.t.Context(), reg, nil)
	require.NoError(f.t, err)
	return first, second
}

// signUp registers an organisation and verifies it.
func (f *fixture) signUp() identity.Identity {
	f.t.Helper()
	return f.Env.SignUp("ann").Identity
}

// customerID returns the id of the organisation's customer.
func (f *fixture) customerID(user account.User) string {
	f.t.Helper()
	org, err := f.Store.Organisation(f.t.Context(), user.OrganisationID)
	require.NoError(f.t, err)
	return org.Billing.CustomerID
}

func identityOf(user account.User) identity.Identity {
	return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner}
}

// assertSignedIn asserts that the browser session is the user's.
func (f *fixture) assertSignedIn(want identity.Identity) {
	f.t.Helper()
	session, isSignedIn := f.Session.Current(f.t.Context())
	assert.True(f.t, isSignedIn)
	assert.Equal(f.t, want.UserID, session.UserID)
	assert.Equal(f.t, want.OrganisationID, session.OrganisationID)
}

// assertCode asserts that the error has the code. The code of nil is "".
func assertCode(t *testing.T, want fault.Code, err error) {
	t.Helper()
	assert.Equal(t, want, fault.CodeOf(err), "%v", err)
}

// plainPasswords implements identity.Passwords without hashing, as package apptest does by default.
type plainPasswords struct{}

func (plainPasswords) IsCommon(string) bool                                    { return false }
func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }
func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password == hash, nil
}

// passwordsWithHook implements identity.Passwords. It calls beforeCall before it hashes or verifies a password.
type passwordsWithHook struct {
	identity.Passwords
	beforeCall func()
}

func (p passwordsWithHook) Hash(ctx context.Context, password string) (string, error) {
	p.beforeCall()
	return p.Passwords.Hash(ctx, password)
}

func (p passwordsWithHook) Verify(ctx context.Context, password, hash string) (bool, error) {
	p.beforeCall()
	return p.Passwords.Verify(ctx, password, hash)
}
