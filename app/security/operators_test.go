package security_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

const email = "ann@example.com"

var operatorRequest = security.OperatorRequest{Email: email, Operator: "olga", Reason: "lost phone, called back"}

func knownBrowser(account.User) bool { return true }

// newTwoStepUser returns an application whose user has turned two-step verification on.
func newTwoStepUser(t *testing.T) (*apptest.Env, identity.Identity) {
	t.Helper()
	env := apptest.New(t)
	env.SignUp("ann")
	require.NoError(t, env.App.SignIn.Do(t.Context(), accounts.Login{Email: email, Password: apptest.Registration("ann").Password}, knownBrowser))
	caller, _ := env.Session.Current(t.Context())
	setup, err := env.App.StartTwoStep.Do(t.Context(), caller, false)
	require.NoError(t, err)
	code, err := onetimecodes.Codes{}.CodeAt(setup.Secret, env.Clock.Now().Unix()/30)
	require.NoError(t, err)
	_, err = env.App.ConfirmTwoStep.Do(t.Context(), caller, setup.State, code)
	require.NoError(t, err)
	return env, caller
}

// operatorActions returns the entries of the audit log about actions of operators, newest first.
func operatorActions(t *testing.T, env *apptest.Env, organisationID string) (actions []audit.Entry) {
	t.Helper()
	entries, err := env.Store.OrganisationAuditEntries(t.Context(), organisationID, 0, 100)
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasPrefix(string(e.Kind), "operator.") {
			actions = append(actions, e)
		}
	}
	return actions
}

func TestResetTwoStep_NeedsANewPasswordFromTheMailbox(t *testing.T) {
	env, caller := newTwoStepUser(t)

	require.NoError(t, env.App.ResetTwoStep.Do(t.Context(), operatorRequest))

	err := env.App.SignIn.Do(t.Context(), accounts.Login{Email: email, Password: apptest.Registration("ann").Password}, knownBrowser)
	assert.Equal(t, fault.Credentials, fault.CodeOf(err))
	err = env.App.SignIn.Do(t.Context(), accounts.Login{Email: email}, knownBrowser)
	assert.Equal(t, fault.Credentials, fault.CodeOf(err), "the empty password does not match")
	env.DeliverEmails(env.App)
	var text string
	for _, m := range env.Mailbox.Emails() {
		text += m.Subject + "\n" + m.Text
	}
	assert.Contains(t, text, "Two-step verification was reset for a Vision account")
	token := regexp.MustCompile(`/auth/reset\?token=(\S+)`).FindStringSubmatch(text)
	require.NotNil(t, token)
	_, err = env.App.ResetPassword.Do(t.Context(), token[1], "Harbour7lantern", "Harbour7lantern")
	require.NoError(t, err)
	require.NoError(t, env.App.SignIn.Do(t.Context(), accounts.Login{Email: email, Password: "Harbour7lantern"}, knownBrowser))

	actions := operatorActions(t, env, caller.OrganisationID)
	require.Len(t, actions, 1)
	assert.Equal(t, audit.OperatorResetTwoStep, actions[0].Kind)
	assert.Equal(t, audit.Operator("olga"), actions[0].Actor)
	assert.Equal(t, operatorRequest.Reason, actions[0].Note)
	assert.Equal(t, fault.Conflict, fault.CodeOf(env.App.ResetTwoStep.Do(t.Context(), operatorRequest)), "it is off now")
}

func TestOperatorActions_NeedAKnownUserAnOperatorAndAReason(t *testing.T) {
	env, caller := newTwoStepUser(t)
	for _, c := range []struct {
		req  security.OperatorRequest
		want fault.Code
	}{
		{security.OperatorRequest{Email: "ben@example.com", Operator: "olga", Reason: "why"}, fault.NotFound},
		{security.OperatorRequest{Email: email, Operator: " ", Reason: "why"}, fault.Invalid},
		{security.OperatorRequest{Email: email, Operator: "olga"}, fault.Invalid},
	} {
		assert.Equal(t, c.want, fault.CodeOf(env.App.ResetTwoStep.Do(t.Context(), c.req)))
		assert.Equal(t, c.want, fault.CodeOf(env.App.EndUserSessions.Do(t.Context(), c.req)))
	}
	assert.Empty(t, operatorActions(t, env, caller.OrganisationID))
}

// addPasskey adds a passkey of the caller to the database.
func addPasskey(t *testing.T, env *apptest.Env, caller identity.Identity) {
	t.Helper()
	_, err := env.Store.UpdateCredentials(t.Context(), caller.UserID, env.Clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			return storage.CredentialsEffects{}, c.AddPasskey(account.Authenticator{
				ID: "auth_passkey", Name: "Phone", CreatedAt: env.Clock.Now(), Passkey: account.Passkey{CredentialID: "credential"},
			})
		})
	require.NoError(t, err)
}

func requirePasskeys(t *testing.T, env *apptest.Env, caller identity.Identity, want int) account.Credentials {
	t.Helper()
	credentials, err := env.Store.Credentials(t.Context(), caller.UserID)
	require.NoError(t, err)
	require.Len(t, credentials.Passkeys(), want)
	return credentials
}

func TestResetTwoStep_RemovesPasskeys(t *testing.T) {
	env, caller := newTwoStepUser(t)
	addPasskey(t, env, caller)
	requirePasskeys(t, env, caller, 1)
	require.NoError(t, env.App.ResetTwoStep.Do(t.Context(), operatorRequest))
	requirePasskeys(t, env, caller, 0)
}

func TestResetTwoStep_NotifiesAllOwners(t *testing.T) {
	env, caller := newTwoStepUser(t)
	env.SignUp("ben")
	ben, err := env.Store.UserByEmail(t.Context(), "ben@example.com")
	require.NoError(t, err)
	_, err = env.Store.UpdateTeam(t.Context(), caller.OrganisationID, env.Clock.Now(),
		func(team *account.Team) (storage.TeamEffects, error) {
			team.Members = append(team.Members, account.Member{
				Membership: account.Membership{
					UserID: ben.ID, OrganisationID: caller.OrganisationID, Role: account.Owner,
					JoinedAt: env.Clock.Now(), LastUsedAt: env.Clock.Now(),
				},
				FirstName: ben.FirstName, LastName: ben.LastName, Email: ben.Email,
			})
			return storage.TeamEffects{}, nil
		})
	require.NoError(t, err)

	require.NoError(t, env.App.ResetTwoStep.Do(t.Context(), operatorRequest))

	env.DeliverEmails(env.App)
	texts := map[string]string{} // of the emails about the reset, by recipient
	for _, m := range env.Mailbox.Emails() {
		switch m.Subject {
		case "Two-step verification was reset for a Vision account", "Our support reset the two-step verification of " + email:
			texts[m.To] += m.Text
		}
	}
	require.Len(t, texts, 2)
	assert.Contains(t, texts[email], "/vc-admin/auth/forgot")
	assert.Contains(t, texts["ben@example.com"], "/vc-admin/diy/members")
	assert.NotContains(t, texts["ben@example.com"], "/vc-admin/auth/forgot", "the owner's own password is not affected")
	assert.Equal(t, 1, strings.Count(texts[email], "turned off two-step verification"), "the user gets one email")
}

func TestRemoveUserPasskeys_EndsSessionsAndNotifies(t *testing.T) {
	env, caller := newTwoStepUser(t)
	assert.Equal(t, fault.Conflict, fault.CodeOf(env.App.RemoveUserPasskeys.Do(t.Context(), operatorRequest)))
	assert.Empty(t, operatorActions(t, env, caller.OrganisationID), "nothing was removed")
	addPasskey(t, env, caller)
	before := requirePasskeys(t, env, caller, 1)

	require.NoError(t, env.App.RemoveUserPasskeys.Do(t.Context(), operatorRequest))

	after := requirePasskeys(t, env, caller, 0)
	assert.Equal(t, before.User.SecurityRevision+1, after.User.SecurityRevision, "sessions end")
	assert.True(t, after.User.HasTwoStep())
	env.DeliverEmails(env.App)
	var subjects []string
	for _, m := range env.Mailbox.Emails() {
		subjects = append(subjects, m.Subject)
	}
	assert.Contains(t, subjects, "All passkeys were removed from your Vision account")
	assert.Equal(t, audit.OperatorRemovedPasskeys, operatorActions(t, env, caller.OrganisationID)[0].Kind)
}

func TestEndUserSessions_RaisesTheRevision(t *testing.T) {
	env, caller := newTwoStepUser(t)
	before, err := env.Store.User(t.Context(), caller.UserID)
	require.NoError(t, err)
	require.NoError(t, env.App.EndUserSessions.Do(t.Context(), operatorRequest))
	after, err := env.Store.User(t.Context(), caller.UserID)
	require.NoError(t, err)
	assert.Equal(t, before.SecurityRevision+1, after.SecurityRevision)
	assert.True(t, after.HasTwoStep())
}
