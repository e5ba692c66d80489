package members_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// storeWithUpdate calls afterUpdate after each successful update of a team.
type storeWithUpdate struct {
	storage.Store
	afterUpdate func()
}

func (s storeWithUpdate) UpdateTeam(
	ctx context.Context, organisationID string, now time.Time, change func(*account.Team) (storage.TeamEffects, error),
) (account.Team, error) {
	team, err := s.Store.UpdateTeam(ctx, organisationID, now, change)
	if err == nil {
		s.afterUpdate()
	}
	return team, err
}

func TestLeaveOrganisation_DoesNotSignInAgainIfTheUserSignsOutMeanwhile(t *testing.T) {
	env := apptest.New(t)
	token := invite(t, env, env.SignUp("ann"), env.SignUp("ben").Organisation().ContactEmail, account.ReadingMember)
	signIn(t, env, "ben@example.com", "")
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	app := env.NewApp(storeWithUpdate{env.Store, func() { signOut(t, env) }}, env.Provider)

	_, err = app.LeaveOrganisation.Do(t.Context(), caller)
	require.NoError(t, err)
	_, isSignedIn := env.Session.Current(t.Context())
	assert.False(t, isSignedIn)
}

func TestLeaveOrganisation_KeepsTheOrganisationOfTheLastOwner(t *testing.T) {
	env := apptest.New(t)
	ann, ben := env.SignUp("ann"), env.SignUp("ben")
	token := invite(t, env, ann, "ben@example.com", account.ReadingMember)
	signIn(t, env, "ben@example.com", "")
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	caller := signIn(t, env, "ben@example.com", ben.OrganisationID)

	_, err = env.App.LeaveOrganisation.Do(t.Context(), caller)
	requireCode(t, fault.Conflict, err)
	caller, _ = env.Session.Current(t.Context())
	assert.Equal(t, ben.OrganisationID, caller.OrganisationID)
}

func TestInviteOwner_RefusesAnUnconfirmedRegistration(t *testing.T) {
	env := apptest.New(t)
	registered, err := env.App.SignUp.Do(t.Context(), apptest.Registration("sam"), nil)
	require.NoError(t, err)
	req := members.OwnerInvitation{
		OrganisationID: registered.OrganisationID, Email: "new@example.com", Operator: "olga", Reason: "gets no emails",
	}
	_, err = env.App.InviteOwner.Do(t.Context(), req)
	requireCode(t, fault.Conflict, err)
	team, err := env.Store.Team(t.Context(), registered.OrganisationID)
	require.NoError(t, err)
	assert.Empty(t, team.Invitations)
}

func TestAcceptInvitation_RecordsTheSignInOfANewPerson(t *testing.T) {
	env := apptest.New(t)
	sam := env.Member(env.SignUp("ann"), "sam", account.ReadingMember)
	entries, err := env.Store.OrganisationAuditEntries(t.Context(), sam.OrganisationID, 0, 100)
	require.NoError(t, err)
	var signIns []audit.Data
	for _, e := range entries {
		if e.Kind == audit.SignIn && e.Subject == sam.UserID {
			signIns = append(signIns, e.Data)
		}
	}
	assert.Equal(t, []audit.Data{{"methods": "password", "browser": "new"}}, signIns)
}

// storeWithSignIn calls beforeSignIn when a sign-in has stored its session and is not recorded yet.
type storeWithSignIn struct {
	storage.Store
	beforeSignIn func()
}

func (s storeWithSignIn) RecordSignIn(
	ctx context.Context, userID string, entry audit.Entry, now time.Time, update func(*account.User) (*mail.Message, error),
) error {
	s.beforeSignIn()
	return s.Store.RecordSignIn(ctx, userID, entry, now, update)
}

func TestSignIn_HasNoSessionInAnOrganisationThatRemovesTheUserMeanwhile(t *testing.T) {
	for name, hasOther := range map[string]bool{"the only one": false, "another one": true} {
		t.Run(name, func(t *testing.T) {
			env := apptest.New(t)
			ann := env.SignUp("ann")
			if hasOther {
				env.SignUp("sam")
				signIn(t, env, "sam@example.com", "")
			}
			sam, err := env.App.AcceptInvitation.Do(t.Context(), invite(t, env, ann, "sam@example.com", account.BillingMember), person)
			require.NoError(t, err)
			signOut(t, env)
			password := person.Password
			if hasOther {
				password = apptest.Registration("sam").Password
			}
			app := env.NewApp(storeWithSignIn{env.Store, func() {
				ann.AuthenticatedAt = env.Clock.Now()
				assert.NoError(t, env.App.RemoveMember.Do(t.Context(), ann.Identity, sam.ID))
			}}, env.Provider)
			login := accounts.Login{Email: "sam@example.com", Password: password, OrganisationID: ann.OrganisationID}

			err = app.SignIn.Do(t.Context(), login, func(account.User) bool { return true })

			if !hasOther {
				requireCode(t, fault.Credentials, err)
			}
			_, isSignedIn := env.Session.Current(t.Context())
			assert.False(t, isSignedIn)
		})
	}
}
