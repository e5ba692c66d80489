package members_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

func TestAcceptInvitation_MakesANewPersonAVerifiedMember(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	token := invite(t, env, owner, "Sam@Example.com", account.BillingMember)

	linked, err := env.App.ShowInvitation.Do(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, "Practice of ann", linked.Organisation.Name)
	assert.Equal(t, "Ann Lee", linked.Inviter.FullName())
	assert.Equal(t, account.BillingMember, linked.Role)
	assert.Equal(t, members.StepRegister, linked.Step)

	user, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	assert.Equal(t, "Sam", user.FirstName)
	assert.True(t, user.IsVerified())
	caller, _ := env.Session.Current(t.Context())
	assert.Equal(t, identity.Identity{
		UserID: user.ID, OrganisationID: owner.OrganisationID, Role: account.BillingMember, AuthenticatedAt: env.Clock.Now(),
		SessionID: caller.SessionID,
	}, caller)
	assert.Equal(t, "Sam Roe joined Practice of ann", subjects(env, "ann@example.com")[0])
	assert.ElementsMatch(t, []string{"ann@example.com", "sam@example.com"}, owner.Organisation().MemberEmails)

	_, err = env.App.AcceptInvitation.Do(t.Context(), token, person)
	requireCode(t, fault.NotFound, err)
	_, err = env.App.ShowInvitation.Do(t.Context(), token)
	requireCode(t, fault.NotFound, err)
}

func TestAcceptInvitation_ReportsEachInvalidField(t *testing.T) {
	env := apptest.New(t)
	token := invite(t, env, env.SignUp("ann"), "sam@example.com", account.Owner)

	_, err := env.App.AcceptInvitation.Do(t.Context(), token, members.NewPerson{Password: "Practice1ann"})
	requireCode(t, fault.Invalid, err)
	var names []string
	for _, field := range fault.FieldsOf(err) {
		names = append(names, field.Name)
	}
	assert.Equal(t, []string{"firstName", "lastName", "password"}, names)
	_, err = env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err, "a refused form does not use up the link")
}

func TestAcceptInvitation_DeletesAnUnverifiedRegistrationOfTheAddress(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	attacker, err := env.App.SignUp.Do(t.Context(), apptest.Registration("sam"), nil)
	require.NoError(t, err)
	verification := env.VerificationToken("sam@example.com")
	token := invite(t, env, owner, "sam@example.com", account.ReadingMember)

	_, err = env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)

	_, err = env.Store.User(t.Context(), attacker.ID)
	requireCode(t, fault.NotFound, err)
	err = env.App.ConfirmRegistration.Do(t.Context(), verification, apptest.Registration("sam").Password, "", func(account.User) bool { return true })
	requireCode(t, fault.NotFound, err)
	err = env.App.SignIn.Do(t.Context(), accounts.Login{Email: "sam@example.com", Password: apptest.Registration("sam").Password},
		func(account.User) bool { return true })
	requireCode(t, fault.Credentials, err)
}

func TestAcceptInvitation_NeedsTheSessionOfTheInvitedAddress(t *testing.T) {
	env := apptest.New(t)
	owner, ben := env.SignUp("ann"), env.SignUp("ben")
	token := invite(t, env, owner, "ben@example.com", account.ReadingMember)
	step := func() members.JoinStep {
		linked, err := env.App.ShowInvitation.Do(t.Context(), token)
		require.NoError(t, err)
		return linked.Step
	}

	assert.Equal(t, members.StepSignIn, step())
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	requireCode(t, fault.Unauthenticated, err)

	signIn(t, env, "ann@example.com", "")
	assert.Equal(t, members.StepSignOut, step())
	_, err = env.App.AcceptInvitation.Do(t.Context(), token, person)
	requireCode(t, fault.Conflict, err)
	assert.Equal(t, "You are signed in as ann@example.com. This invitation is for ben@example.com.", fault.MessageOf(err))

	signIn(t, env, "ben@example.com", "")
	assert.Equal(t, members.StepJoin, step())
	env.Advance(time.Minute)
	_, err = env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	assert.Equal(t, ben.UserID, caller.UserID)
	assert.Equal(t, owner.OrganisationID, caller.OrganisationID)
	assert.Equal(t, account.ReadingMember, caller.Role)
	user, err := env.Store.User(t.Context(), ben.UserID)
	require.NoError(t, err)
	assert.Equal(t, "Ann", user.FirstName, "the names of a user stay")
	assert.Equal(t, owner.OrganisationID, user.OrganisationID, "the next sign-in selects the organisation")
}

func TestAcceptInvitation_SwitchesAMemberWhoKeepsTheRole(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	sam := env.Member(owner, "sam", account.BillingMember)
	// An invitation to the address that a member has only since then.
	inv := account.Invitation{ID: "inv_1", Email: "sam@example.com", Role: account.Owner, TokenHash: ids.Hash("token"), ExpiresAt: env.Clock.Now().Add(time.Hour)}
	_, err := env.Store.UpdateTeam(t.Context(), owner.OrganisationID, env.Clock.Now(), func(team *account.Team) (storage.TeamEffects, error) {
		inv.OrganisationID, inv.InviterID = team.OrganisationID, owner.UserID
		team.Invitations = []account.Invitation{inv}
		return storage.TeamEffects{}, nil
	})
	require.NoError(t, err)
	signIn(t, env, "sam@example.com", "")

	linked, err := env.App.ShowInvitation.Do(t.Context(), "token")
	require.NoError(t, err)
	assert.Equal(t, members.StepSwitch, linked.Step)
	_, err = env.App.AcceptInvitation.Do(t.Context(), "token", person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	assert.Equal(t, account.BillingMember, caller.Role)
	assert.Equal(t, sam.UserID, caller.UserID)
}
