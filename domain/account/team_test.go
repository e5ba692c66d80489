package account_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

var teamNow = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// newTeam returns a team whose members are named after their roles, such as "owner0".
func newTeam(roles ...account.Role) *account.Team {
	team := &account.Team{OrganisationID: "org"}
	for i, role := range roles {
		id := fmt.Sprintf("%s%d", role, i)
		team.Members = append(team.Members, account.Member{
			Membership: account.Membership{UserID: id, OrganisationID: "org", Role: role, JoinedAt: teamNow}, Email: id + "@example.com",
		})
	}
	return team
}

func requireCode(t *testing.T, want fault.Code, err error) {
	t.Helper()
	require.Equal(t, want, fault.CodeOf(err), "%v", err)
}

func invitation(email string, role account.Role) account.Invitation {
	return account.Invitation{ID: "inv " + email, Email: email, Role: role, TokenHash: "hash of " + email}
}

func TestTeam_LastOwnerCanNeitherLeaveNorLoseTheRole(t *testing.T) {
	team := newTeam(account.Owner, account.BillingMember)
	requireCode(t, fault.Conflict, team.Leave("owner0"))
	requireCode(t, fault.Conflict, team.Remove("owner0", "owner0"))
	requireCode(t, fault.Conflict, team.ChangeRole("owner0", "owner0", account.ReadingMember))
	require.NoError(t, team.ChangeRole("owner0", "owner0", account.Owner))
	require.NoError(t, team.ChangeRole("owner0", "billing1", account.Owner))
	assert.Equal(t, "owner0@example.com", team.ContactEmail())
	require.NoError(t, team.Leave("owner0"))
	assert.Equal(t, "billing1@example.com", team.ContactEmail())
}

func TestTeam_OnlyOwnersManageMembers(t *testing.T) {
	for _, by := range []string{"billing1", "member2", "unknown"} {
		team := newTeam(account.Owner, account.BillingMember, account.ReadingMember)
		requireCode(t, fault.Forbidden, team.Invite(by, invitation("sam@example.com", account.Owner), teamNow))
		requireCode(t, fault.Forbidden, team.Revoke(by, "sam@example.com"))
		requireCode(t, fault.Forbidden, team.Resend(by, invitation("sam@example.com", account.Owner), teamNow))
		requireCode(t, fault.Forbidden, team.ChangeRole(by, by, account.Owner))
		requireCode(t, fault.Forbidden, team.Remove(by, "owner0"))
		assert.Equal(t, newTeam(account.Owner, account.BillingMember, account.ReadingMember), team)
	}
}

func TestTeam_AcceptNeedsTheTokenTheAddressAndTime(t *testing.T) {
	team := newTeam(account.Owner)
	require.NoError(t, team.Invite("owner0", invitation("Sam@Example.com", account.BillingMember), teamNow))
	const hash = "hash of Sam@Example.com"
	sam := account.User{ID: "sam", FirstName: "Sam", LastName: "Roe", Email: "sam@example.com"}
	expiry := teamNow.Add(account.InvitationLifetime)
	requireCode(t, fault.NotFound, team.Accept("another", sam, teamNow))
	requireCode(t, fault.NotFound, team.Accept(hash, account.User{ID: "eve", Email: "eve@example.com"}, teamNow))
	requireCode(t, fault.NotFound, team.Accept(hash, sam, expiry))
	require.NoError(t, team.Accept(hash, sam, expiry.Add(-time.Second)))
	requireCode(t, fault.NotFound, team.Accept(hash, sam, teamNow))
	member, ok := team.Member("sam")
	assert.True(t, ok)
	assert.Equal(t, account.BillingMember, member.Role)
}

func TestTeam_InviteHasLimitsAndReplacesAnEarlierInvitation(t *testing.T) {
	team := newTeam(account.Owner)
	requireCode(t, fault.Invalid, team.Invite("owner0", invitation("no address", account.Owner), teamNow))
	requireCode(t, fault.Invalid, team.Invite("owner0", invitation("sam@example.com", "admin"), teamNow))
	requireCode(t, fault.Conflict, team.Invite("owner0", invitation("OWNER0@example.com", account.Owner), teamNow))
	for i := range account.MaxInvitations {
		require.NoError(t, team.Invite("owner0", invitation(fmt.Sprintf("sam%d@example.com", i), account.ReadingMember), teamNow))
	}
	requireCode(t, fault.Conflict, team.Invite("owner0", invitation("sam@example.com", account.ReadingMember), teamNow))
	require.NoError(t, team.Invite("owner0", invitation("sam0@example.com", account.BillingMember), teamNow))
	assert.Len(t, team.Invitations, account.MaxInvitations)
	require.NoError(t, team.Invite("owner0", invitation("sam@example.com", account.ReadingMember), teamNow.Add(account.InvitationLifetime)))
}

func TestTeam_InvitationsOfADemotedOwnerAreDeleted(t *testing.T) {
	team := newTeam(account.Owner, account.Owner)
	require.NoError(t, team.Invite("owner1", invitation("sam@example.com", account.ReadingMember), teamNow))
	require.NoError(t, team.ChangeRole("owner0", "owner1", account.BillingMember))
	assert.Empty(t, team.Invitations)
}

func TestTeam_ResendKeepsTheRoleAndReplacesTheToken(t *testing.T) {
	team := newTeam(account.Owner, account.Owner)
	requireCode(t, fault.NotFound, team.Resend("owner0", invitation("sam@example.com", account.Owner), teamNow))
	require.NoError(t, team.Invite("owner0", invitation("sam@example.com", account.ReadingMember), teamNow))
	later := teamNow.Add(account.InvitationLifetime + time.Hour)
	renewed := account.Invitation{ID: "another", Email: "Sam@Example.com", Role: account.Owner, TokenHash: "another"}
	require.NoError(t, team.Resend("owner1", renewed, later))
	assert.Equal(t, []account.Invitation{{
		ID: "another", OrganisationID: "org", Email: "sam@example.com", Role: account.ReadingMember, TokenHash: "another",
		InviterID: "owner1", ExpiresAt: later.Add(account.InvitationLifetime),
	}}, team.Invitations)
	require.NoError(t, team.Revoke("owner0", " SAM@example.com"))
	assert.Empty(t, team.Invitations)
	requireCode(t, fault.NotFound, team.Revoke("owner0", "sam@example.com"))
}

func TestTeam_InvitationOfAnOperatorStaysWhenOwnersChange(t *testing.T) {
	team := newTeam(account.Owner, account.Owner)
	require.NoError(t, team.InviteOwner(invitation("sam@example.com", account.ReadingMember), "why", teamNow))
	assert.Equal(t, "why", team.Entries[0].Note)
	require.NoError(t, team.Remove("owner0", "owner1"))
	require.Len(t, team.Invitations, 1)
	assert.Equal(t, account.Owner, team.Invitations[0].Role)
	requireCode(t, fault.Conflict, team.InviteOwner(invitation("owner0@example.com", ""), "why", teamNow))
}

func isByOwnerOrOperator(team *account.Team, i account.Invitation) bool {
	inviter, _ := team.Member(i.InviterID)
	return inviter.Role == account.Owner || i.InviterID == "" && i.Role == account.Owner
}

// requireInvariants fails the test unless the team keeps the invariants that Team documents.
func requireInvariants(t *rapid.T, team *account.Team, now time.Time) {
	if len(team.Owners()) == 0 || len(team.Members) > account.MaxMembers {
		t.Fatalf("%d owners of %d members", len(team.Owners()), len(team.Members))
	}
	addresses, open := map[string]bool{}, 0
	for _, i := range team.Invitations {
		if !isByOwnerOrOperator(team, i) || addresses[i.Email] || !i.Role.IsValid() {
			t.Fatalf("invitation %+v", i)
		}
		addresses[i.Email] = true
		if !i.IsExpired(now) {
			open++
		}
	}
	if open > account.MaxInvitations {
		t.Fatalf("%d open invitations", open)
	}
}

func TestTeam_AnySequenceOfCommandsKeepsTheInvariants(t *testing.T) {
	roles := []account.Role{account.Owner, account.BillingMember, account.ReadingMember, "", "admin"}
	rapid.Check(t, func(t *rapid.T) {
		team, now := newTeam(account.Owner), teamNow
		user := func() string {
			ids := []string{"unknown"}
			for _, m := range team.Members {
				ids = append(ids, m.UserID)
			}
			return rapid.SampledFrom(ids).Draw(t, "user")
		}
		email := func() string { return fmt.Sprintf("u%d@example.com", rapid.IntRange(0, 60).Draw(t, "email")) }
		t.Repeat(map[string]func(*rapid.T){
			"invite": func(t *rapid.T) {
				_ = team.Invite(user(), invitation(email(), rapid.SampledFrom(roles).Draw(t, "role")), now)
			},
			"accept": func(*rapid.T) {
				address := email()
				_ = team.Accept("hash of "+address, account.User{ID: address, Email: address}, now)
			},
			"revoke":          func(*rapid.T) { _ = team.Revoke(user(), email()) },
			"resend":          func(*rapid.T) { _ = team.Resend(user(), invitation(email(), account.Owner), now) },
			"invite an owner": func(*rapid.T) { _ = team.InviteOwner(invitation(email(), ""), "why", now) },
			"change role":     func(t *rapid.T) { _ = team.ChangeRole(user(), user(), rapid.SampledFrom(roles).Draw(t, "role")) },
			"remove":          func(*rapid.T) { _ = team.Remove(user(), user()) },
			"leave":           func(*rapid.T) { _ = team.Leave(user()) },
			"wait":            func(*rapid.T) { now = now.Add(24 * time.Hour) },
			"":                func(t *rapid.T) { requireInvariants(t, team, now) },
		})
	})
}

func TestTeam_RecordsTheInvitationsThatEndWithTheirInviter(t *testing.T) {
	newInvitingTeam := func() *account.Team {
		team := newTeam(account.Owner, account.Owner)
		require.NoError(t, team.Invite("owner0", invitation("a@example.com", account.ReadingMember), teamNow))
		require.NoError(t, team.Invite("owner1", invitation("b@example.com", account.ReadingMember), teamNow))
		require.NoError(t, team.InviteOwner(invitation("c@example.com", ""), "note", teamNow))
		team.Entries = nil
		return team
	}
	recorded := func(team *account.Team) (result []string) {
		for _, e := range team.Entries {
			result = append(result, string(e.Kind)+" "+e.Subject)
		}
		return result
	}

	team := newInvitingTeam()
	require.NoError(t, team.ChangeRole("owner0", "owner0", account.Owner))
	assert.Empty(t, team.Entries, "the role stays")
	require.NoError(t, team.ChangeRole("owner0", "owner1", account.ReadingMember))
	assert.Equal(t, []string{"member.role_changed owner1", "member.invitation_deleted inv b@example.com"}, recorded(team))

	team = newInvitingTeam()
	team.DeleteInvitationsBy("owner0")
	assert.Equal(t, []string{"member.invitation_deleted inv a@example.com"}, recorded(team))
	assert.Len(t, team.Invitations, 2)
}
