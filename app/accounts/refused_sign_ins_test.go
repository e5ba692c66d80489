package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

func TestSignIn_IsInTheAuditLog(t *testing.T) {
	env := apptest.New(t)
	env.SignUp("ann")
	user, err := env.Store.UserByEmail(t.Context(), "ann@example.com")
	require.NoError(t, err)
	known := func(account.User) bool { return true }
	login := accounts.Login{Email: user.Email, Password: "wrong", Network: "192.0.2.0/24"}
	for range 3 {
		require.Error(t, env.App.SignIn.Do(t.Context(), login, known))
	}
	require.Error(t, env.App.SignIn.Do(t.Context(), accounts.Login{Email: "unknown@example.com"}, known))
	entries := signInEntries(t, env)
	require.Empty(t, entries, "the response time must not depend on the user")
	for _, want := range []int{1, 0} {
		count, err := env.App.RecordRefusedSignIns.Do(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, count)
	}
	login.Password = apptest.Registration("ann").Password
	require.NoError(t, env.App.SignIn.Do(t.Context(), login, known))

	entries = signInEntries(t, env)
	require.Len(t, entries, 2)
	assert.Equal(t, audit.Entry{
		ID: entries[0].ID, At: env.Clock.Now(), OrganisationID: user.OrganisationID, Actor: audit.Visitor, Kind: audit.SignInsRefused,
		Subject: user.ID, Outcome: audit.Refused, Data: audit.Data{"method": "password", "network": "192.0.2.0/24", "count": "3"},
	}, entries[0])
	assert.Equal(t, audit.Entry{
		ID: entries[1].ID, At: env.Clock.Now(), OrganisationID: user.OrganisationID, Actor: audit.User(user.ID), Kind: audit.SignIn,
		Subject: user.ID, Outcome: audit.Done, Data: audit.Data{"methods": "password", "browser": "known"},
	}, entries[1])
}

func TestChangePassword_WrongCurrentPasswordIsInTheAuditLog(t *testing.T) {
	env := apptest.New(t)
	caller := env.SignUp("ann").Identity
	caller.AuthenticatedAt = env.Clock.Now()
	ctx := audit.WithActor(t.Context(), caller.Actor())
	before := len(signInEntries(t, env))

	_, err := env.App.ChangePassword.Do(ctx, caller, security.PasswordChange{
		Current: "wrong", Password: "A new long passphrase 47", Repeat: "A new long passphrase 47", Network: "192.0.2.0/24",
	})

	require.True(t, security.IsWrongPassword(err), err)
	entries := signInEntries(t, env)[before:]
	require.Len(t, entries, 1)
	assert.Equal(t, audit.Entry{
		ID: entries[0].ID, At: env.Clock.Now(), OrganisationID: caller.OrganisationID, Actor: audit.User(caller.UserID),
		Kind: audit.SignInsRefused, Subject: caller.UserID, Outcome: audit.Refused,
		Data: audit.Data{"method": "current_password", "network": "192.0.2.0/24", "count": "1"},
	}, entries[0])
}

// signInEntries returns the entries of the audit log about sign-ins, oldest first.
func signInEntries(t *testing.T, env *apptest.Env) []audit.Entry {
	t.Helper()
	entries, err := env.Store.AuditEntries(t.Context(), storage.AuditQuery{Class: audit.Access, Limit: 100})
	require.NoError(t, err)
	return entries
}
