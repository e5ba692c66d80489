package members_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

func requireCode(t *testing.T, want fault.Code, err error) {
	t.Helper()
	require.Equal(t, want, fault.CodeOf(err), "%v", err)
}

// subjects delivers all emails and returns the subjects of those to the address, the newest first.
func subjects(env *apptest.Env, email string) []string {
	env.DeliverEmails(env.App)
	var result []string
	for _, m := range env.Mailbox.Emails() {
		if m.To == email {
			result = append(result, m.Subject)
		}
	}
	return result
}

func signIn(t *testing.T, env *apptest.Env, email, organisationID string) identity.Identity {
	t.Helper()
	login := accounts.Login{Email: email, Password: apptest.Registration("any").Password, OrganisationID: organisationID}
	require.NoError(t, env.App.SignIn.Do(t.Context(), login, func(account.User) bool { return true }))
	caller, ok := env.Session.Current(t.Context())
	require.True(t, ok)
	return caller
}

func signOut(t *testing.T, env *apptest.Env) {
	t.Helper()
	require.NoError(t, env.Session.End(t.Context()))
}

func invite(t *testing.T, env *apptest.Env, owner *apptest.User, email string, role account.Role) string {
	t.Helper()
	owner.AuthenticatedAt = env.Clock.Now()
	require.NoError(t, env.App.InviteMember.Do(t.Context(), owner.Identity, email, role))
	return env.InvitationToken(account.EmailKey(email))
}

var person = members.NewPerson{FirstName: " Sam ", LastName: "Roe", Password: "Harbour7lantern"}

func TestChangeRole_NotifiesTheMemberAndTheOwners(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	sam := env.Member(owner, "sam", account.ReadingMember)
	owner.AuthenticatedAt = env.Clock.Now()

	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, sam.UserID, account.BillingMember))
	assert.Equal(t, "Your role is now Billing", subjects(env, "sam@example.com")[0])
	before := len(subjects(env, "ann@example.com"))
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, sam.UserID, account.BillingMember))
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, sam.UserID, account.Owner))
	assert.Len(t, subjects(env, "sam@example.com"), 3, "the invitation and two changes")
	assert.Equal(t, "Sam sam is now Owner", subjects(env, "ann@example.com")[0])
	assert.Len(t, subjects(env, "ann@example.com"), before+1)

	requireCode(t, fault.NotFound, env.App.ChangeRole.Do(t.Context(), owner.Identity, "usr_unknown", account.Owner))
	requireCode(t, fault.Invalid, env.App.ChangeRole.Do(t.Context(), owner.Identity, sam.UserID, "admin"))
}

func TestRemoveMember_EndsAccessAndFreesTheAddress(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	sam := env.Member(owner, "sam", account.ReadingMember)
	ben := env.Member(owner, "ben", account.Owner)
	signIn(t, env, "sam@example.com", "")
	owner.AuthenticatedAt = env.Clock.Now()

	require.NoError(t, env.App.RemoveMember.Do(t.Context(), owner.Identity, sam.UserID))

	_, isSignedIn := env.Session.Current(t.Context())
	assert.False(t, isSignedIn)
	_, err := env.Store.User(t.Context(), sam.UserID)
	requireCode(t, fault.NotFound, err)
	assert.Equal(t, "You no longer have access to Practice of ann", subjects(env, "sam@example.com")[0])
	for _, address := range []string{"ann@example.com", "ben@example.com"} {
		assert.Equal(t, "Sam sam was removed from Practice of ann", subjects(env, address)[0])
	}
	env.SignUp("sam")

	requireCode(t, fault.NotFound, env.App.RemoveMember.Do(t.Context(), owner.Identity, sam.UserID))
	require.NoError(t, env.App.RemoveMember.Do(t.Context(), ben.Identity, owner.UserID))
	requireCode(t, fault.Conflict, env.App.RemoveMember.Do(t.Context(), ben.Identity, ben.UserID))
	requireCode(t, fault.Forbidden, env.App.RemoveMember.Do(t.Context(), owner.Identity, ben.UserID))
}

func TestRemoveMember_StopsQueuedBillingEmails(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	sam := env.Member(owner, "sam", account.BillingMember)
	ben := env.Member(owner, "ben", account.BillingMember)
	before := map[string]int{"sam@example.com": len(subjects(env, "sam@example.com")), "ben@example.com": len(subjects(env, "ben@example.com"))}
	owner.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	env.Advance(2 * time.Minute)
	_, err := env.App.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	owner.AuthenticatedAt = env.Clock.Now()
	require.NoError(t, env.App.RemoveMember.Do(t.Context(), owner.Identity, sam.UserID))
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, ben.UserID, account.ReadingMember))

	assert.Len(t, subjects(env, "sam@example.com"), before["sam@example.com"]+1, "only that the access ended")
	assert.Len(t, subjects(env, "ben@example.com"), before["ben@example.com"]+1, "only the new role")
	assert.True(t, slices.ContainsFunc(subjects(env, "ann@example.com"), func(subject string) bool {
		return strings.HasPrefix(subject, "Payment received")
	}), "%v", subjects(env, "ann@example.com"))
}

func TestLeaveOrganisation_ContinuesInAnotherOrganisation(t *testing.T) {
	env := apptest.New(t)
	owner, ben := env.SignUp("ann"), env.SignUp("ben")
	token := invite(t, env, owner, "ben@example.com", account.BillingMember)
	signIn(t, env, "ben@example.com", "")
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	env.Advance(time.Minute)

	organisationID, err := env.App.LeaveOrganisation.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, ben.OrganisationID, organisationID)
	continued, _ := env.Session.Current(t.Context())
	assert.Equal(t, ben.OrganisationID, continued.OrganisationID)
	assert.Equal(t, caller.AuthenticatedAt, continued.AuthenticatedAt)
	sessions, err := env.Session.List(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []identity.Method{identity.PasswordMethod}, sessions[0].Methods)
	assert.Equal(t, "Ann Lee left Practice of ann", subjects(env, "ann@example.com")[0])
	_, err = env.App.LeaveOrganisation.Do(t.Context(), continued)
	requireCode(t, fault.Conflict, err)
}

func TestLeaveOrganisation_SignsOutAUserWithoutAnother(t *testing.T) {
	env := apptest.New(t)
	env.Member(env.SignUp("ann"), "sam", account.ReadingMember)
	caller := signIn(t, env, "sam@example.com", "")

	organisationID, err := env.App.LeaveOrganisation.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Empty(t, organisationID)
	_, isSignedIn := env.Session.Current(t.Context())
	assert.False(t, isSignedIn)
	_, err = env.Store.User(t.Context(), caller.UserID)
	requireCode(t, fault.NotFound, err)
}

func TestSwitchOrganisation_SelectsForTheSessionAndTheNextSignIn(t *testing.T) {
	env := apptest.New(t)
	owner, ben, eve := env.SignUp("ann"), env.SignUp("ben"), env.SignUp("eve")
	token := invite(t, env, owner, "ben@example.com", account.ReadingMember)
	signIn(t, env, "ben@example.com", "")
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	env.Advance(time.Minute)

	require.NoError(t, env.App.SwitchOrganisation.Do(t.Context(), caller, ben.OrganisationID))
	caller, _ = env.Session.Current(t.Context())
	assert.Equal(t, ben.OrganisationID, caller.OrganisationID)
	assert.Equal(t, account.Owner, caller.Role)
	for _, id := range []string{eve.OrganisationID, "org_unknown", ""} {
		requireCode(t, fault.NotFound, env.App.SwitchOrganisation.Do(t.Context(), caller, id))
	}

	env.Advance(time.Minute)
	signOut(t, env)
	assert.Equal(t, ben.OrganisationID, signIn(t, env, "ben@example.com", "").OrganisationID)
	assert.Equal(t, ben.OrganisationID, signIn(t, env, "ben@example.com", eve.OrganisationID).OrganisationID, "a foreign one is ignored")
	assert.Equal(t, owner.OrganisationID, signIn(t, env, "ben@example.com", owner.OrganisationID).OrganisationID)
	assert.Equal(t, owner.OrganisationID, signIn(t, env, "ben@example.com", "").OrganisationID, "it is the last used one now")
}

func TestListMembers_ShowsInvitationsAndOtherOrganisationsToOwnersOnly(t *testing.T) {
	env := apptest.New(t)
	owner, ben := env.SignUp("ann"), env.SignUp("ben")
	token := invite(t, env, owner, ben.Organisation().ContactEmail, account.ReadingMember)
	env.Advance(time.Minute)
	signIn(t, env, "ben@example.com", "")
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	invite(t, env, owner, "sam@example.com", account.ReadingMember)
	env.Advance(time.Minute)
	reader := env.Member(owner, "joe", account.ReadingMember)

	team, err := env.App.ListMembers.Do(t.Context(), owner.Identity)
	require.NoError(t, err)
	require.Len(t, team.Members, 3)
	assert.Len(t, team.Invitations, 1)
	assert.True(t, team.Members[1].HasOtherOrganisations)
	team, err = env.App.ListMembers.Do(t.Context(), reader.Identity)
	require.NoError(t, err)
	assert.Len(t, team.Members, 3)
	assert.Empty(t, team.Invitations)
	assert.False(t, team.Members[1].HasOtherOrganisations)
}

func TestChanges_NeedTheRoleAndARecentSignIn(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	calls := map[string]func(identity.Identity) error{
		"invite": func(c identity.Identity) error {
			return env.App.InviteMember.Do(t.Context(), c, "sam@example.com", account.Owner)
		},
		"resend": func(c identity.Identity) error { return env.App.ResendInvitation.Do(t.Context(), c, "sam@example.com") },
		"revoke": func(c identity.Identity) error { return env.App.RevokeInvitation.Do(t.Context(), c, "sam@example.com") },
		"edit":   func(c identity.Identity) error { return env.App.ChangeRole.Do(t.Context(), c, c.UserID, account.Owner) },
		"remove": func(c identity.Identity) error { return env.App.RemoveMember.Do(t.Context(), c, c.UserID) },
	}
	leave := func(c identity.Identity) error { _, err := env.App.LeaveOrganisation.Do(t.Context(), c); return err }
	for name, call := range calls {
		for _, role := range []account.Role{account.BillingMember, account.ReadingMember, ""} {
			caller := owner.Identity
			caller.Role = role
			assert.True(t, fault.Is(call(caller), fault.Forbidden), "%s as %q", name, role)
		}
	}
	calls["leave"] = leave
	env.Advance(account.FreshFor)
	for name, call := range calls {
		assert.True(t, fault.Is(call(owner.Identity), fault.Reauthenticate), name)
	}
}
