package members_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

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
		_, err := env.App.InviteOwner.Do(t.Context(), refused)
		requireCode(t, c.want, err)
	}
	assert.Empty(t, invitedBy(t, env, owner.OrganisationID), "refused requests are not recorded")

	isMember, err := env.App.InviteOwner.Do(t.Context(), req)
	require.NoError(t, err)
	assert.False(t, isMember)
	assert.Equal(t, "Our support invited an owner", subjects(env, "ann@example.com")[0])
	assert.Equal(t, []string{"operator olga: the owner has died, called back"}, invitedBy(t, env, owner.OrganisationID))

	_, err = env.App.AcceptInvitation.Do(t.Context(), env.InvitationToken("new@example.com"), person)
	require.NoError(t, err)
	caller, _ := env.Session.Current(t.Context())
	assert.Equal(t, account.Owner, caller.Role)
	require.NoError(t, env.App.RemoveMember.Do(t.Context(), caller, owner.UserID), "the new owner can remove the former one")
	assert.Equal(t, "new@example.com", owner.Organisation().ContactEmail)
}

func TestInviteOwner_MakesAMemberAnOwner(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	sam := env.Member(owner, "sam", account.ReadingMember)

	isMember, err := env.App.InviteOwner.Do(t.Context(), members.OwnerInvitation{
		OrganisationID: owner.OrganisationID, Email: "SAM@example.com", Operator: "olga", Reason: "the owner has died, called back",
	})

	require.NoError(t, err)
	assert.True(t, isMember)
	assert.Equal(t, account.Owner, signIn(t, env, "sam@example.com", "").Role)
	assert.Equal(t, "Your role is now Owner", subjects(env, "sam@example.com")[0])
	assert.Equal(t, "Our support made a member an owner", subjects(env, "ann@example.com")[0])
	entries, err := env.Store.OrganisationAuditEntries(t.Context(), owner.OrganisationID, 0, 100)
	require.NoError(t, err)
	i := slices.IndexFunc(entries, func(e audit.Entry) bool { return e.Kind == audit.MemberRoleChanged })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, audit.Operator("olga"), entries[i].Actor)
	assert.Equal(t, sam.UserID, entries[i].Subject)
	assert.Equal(t, "the owner has died, called back", entries[i].Note)
	assert.Equal(t, audit.Data{"from": "member", "to": "owner"}, entries[i].Data)
}

func TestInviteMember_ReturnsTheLimitsOfTheTeam(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	requireCode(t, fault.Invalid, env.App.InviteMember.Do(t.Context(), owner.Identity, "no address", account.Owner))
	requireCode(t, fault.Invalid, env.App.InviteMember.Do(t.Context(), owner.Identity, "sam@example.com", "admin"))
	requireCode(t, fault.Conflict, env.App.InviteMember.Do(t.Context(), owner.Identity, "ANN@example.com", account.Owner))
}
