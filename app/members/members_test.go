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
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
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

func TestInvitations_ExpireAndAreSentAgain(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	first := invite(t, env, owner, "sam@example.com", account.BillingMember)
	env.Advance(account.InvitationLifetime)
	_, err := env.App.AcceptInvitation.Do(t.Context(), first, person)
	requireCode(t, fault.NotFound, err)
	require.NoError(t, env.App.Sweep.Do(t.Context()))

	owner.AuthenticatedAt = env.Clock.Now()
	require.NoError(t, env.App.ResendInvitation.Do(t.Context(), owner.Identity, "SAM@example.com"))
	second := env.InvitationToken("sam@example.com")
	require.NotEqual(t, first, second)
	require.NoError(t, env.App.ResendInvitation.Do(t.Context(), owner.Identity, "sam@example.com"))
	third := env.InvitationToken("sam@example.com")
	for _, token := range []string{first, second, "", "unknown"} {
		_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
		requireCode(t, fault.NotFound, err)
	}
	_, err = env.App.AcceptInvitation.Do(t.Context(), third, person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	assert.Equal(t, account.BillingMember, caller.Role)
	requireCode(t, fault.NotFound, env.App.ResendInvitation.Do(t.Context(), owner.Identity, "sam@example.com"))
}

func TestRevokeInvitation_VoidsTheLink(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	token := invite(t, env, owner, "sam@example.com", account.BillingMember)
	require.NoError(t, env.App.RevokeInvitation.Do(t.Context(), owner.Identity, "sam@example.com"))
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	requireCode(t, fault.NotFound, err)
	requireCode(t, fault.NotFound, env.App.RevokeInvitation.Do(t.Context(), owner.Identity, "sam@example.com"))
}

func TestInvitation_OfADemotedOwnerIsVoid(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	ben := env.Member(owner, "ben", account.Owner)
	token := invite(t, env, ben, "sam@example.com", account.Owner)
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, ben.UserID, account.ReadingMember))

	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	requireCode(t, fault.NotFound, err)
	requireCode(t, fault.Forbidden, env.App.InviteMember.Do(t.Context(), ben.Identity, "sam@example.com", account.Owner))
}

func TestInviteMember_NamesOnlyALicensedOrganisationWithoutALink(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	invite(t, env, owner, "sam@example.com", account.BillingMember)
	assert.Equal(t, []string{"You are invited to Vision"}, subjects(env, "sam@example.com"))

	owner.Subscribe(apptest.Visa, apptest.StandardMonthly)
	invite(t, env, owner, "eve@example.com", account.BillingMember)
	assert.Equal(t, []string{"Practice of ann invites you to Vision"}, subjects(env, "eve@example.com"))

	_, err := env.Store.UpdateOrganisation(t.Context(), owner.OrganisationID, func(o *account.Organisation) error {
		o.Name = "Win at evil.example"
		return nil
	})
	require.NoError(t, err)
	invite(t, env, owner, "joe@example.com", account.BillingMember)
	assert.Equal(t, []string{"You are invited to Vision"}, subjects(env, "joe@example.com"))
}

// An email to an address with an account differs from one to an unknown address only in the address and the token.
func TestInviteMember_SendsTheSameToKnownAndUnknownAddresses(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	env.SignUp("ben")
	var texts []string
	for _, address := range []string{"ben@example.com", "sam@example.com"} {
		token := invite(t, env, owner, address, account.BillingMember)
		texts = append(texts, strings.NewReplacer(address, "ADDRESS", token, "TOKEN").Replace(env.Mailbox.Emails()[0].Text))
	}
	assert.Contains(t, texts[0], "invites ADDRESS")
	assert.Equal(t, texts[0], texts[1])
}

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

// invitedBy returns the actors and notes of the invitations in the audit log.
func invitedBy(t *testing.T, env *apptest.Env, organisationID string) (result []string) {
	t.Helper()
	entries, err := env.Store.OrganisationAuditEntries(t.Context(), organisationID, 0, 100)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Kind == audit.MemberInvited {
			result = append(result, string(e.Actor.Kind)+" "+e.Actor.ID+": "+e.Note)
		}
	}
	return result
}

func TestInviteOwner_IsRecordedAndReportedToTheOwners(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	req := members.OwnerInvitation{
		OrganisationID: owner.OrganisationID, Email: "new@example.com", Operator: "olga", Reason: "the owner has died, called back",
	}
	for _, c := range []struct {
		change func(*members.OwnerInvitation)
		want   fault.Code
	}{
		{func(r *members.OwnerInvitation) { r.OrganisationID = "org_unknown" }, fault.NotFound},
		{func(r *members.OwnerInvitation) { r.Operator = " " }, fault.Invalid},
		{func(r *members.OwnerInvitation) { r.Email = "no address" }, fault.Invalid},
		{func(r *members.OwnerInvitation) { r.Email = "ann@example.com" }, fault.Conflict},
	} {
		refused := req
		c.change(&refused)
		requireCode(t, c.want, env.App.InviteOwner.Do(t.Context(), refused))
	}
	assert.Empty(t, invitedBy(t, env, owner.OrganisationID), "refused requests are not recorded")

	require.NoError(t, env.App.InviteOwner.Do(t.Context(), req))
	assert.Equal(t, "Our support invited an owner", subjects(env, "ann@example.com")[0])
	assert.Equal(t, []string{"operator olga: the owner has died, called back"}, invitedBy(t, env, owner.OrganisationID))

	_, err := env.App.AcceptInvitation.Do(t.Context(), env.InvitationToken("new@example.com"), person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	assert.Equal(t, account.Owner, caller.Role)
	require.NoError(t, env.App.RemoveMember.Do(t.Context(), caller, owner.UserID), "the new owner can remove the former one")
	assert.Equal(t, "new@example.com", owner.Organisation().ContactEmail)
}

func TestInviteMember_ReturnsTheLimitsOfTheTeam(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	requireCode(t, fault.Invalid, env.App.InviteMember.Do(t.Context(), owner.Identity, "no address", account.Owner))
	requireCode(t, fault.Invalid, env.App.InviteMember.Do(t.Context(), owner.Identity, "sam@example.com", "admin"))
	requireCode(t, fault.Conflict, env.App.InviteMember.Do(t.Context(), owner.Identity, "ANN@example.com", account.Owner))
}
