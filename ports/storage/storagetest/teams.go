package storagetest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var teamScenarios = []scenario{
	{"CreateSignUp creates a team with one owner", testTeamOfSignUp},
	{"UpdateTeam stores members, invitations, emails and contact emails", testUpdateTeam},
	{"UpdateTeam stores nothing if the callback fails", testFailedUpdateTeam},
	{"UpdateTeam deletes a user without another membership", testRemoveMember},
	{"UpdateTeam keeps a user with another membership", testRemoveMemberOfTwoTeams},
	{"UpdateTeam deletes unverified registrations with the address of a new user", testInvitedUser},
	{"UpdateTeam with a new user whose address is taken returns Duplicate", testInvitedUserIsTaken},
	{"two owners who leave concurrently leave one owner", testConcurrentLeave},
	{"two owners who remove each other leave one owner", testConcurrentRemove},
	{"an invitation that is accepted twice concurrently is accepted once", testConcurrentAccept},
	{"an invitation that is accepted while it is revoked has one outcome", testAcceptDuringRevoke},
	{"a removal while the user joins elsewhere either joins or deletes the user", testRemoveDuringJoin},
	{"SweepInvitations deletes expired invitations", testSweepInvitations},
}

// updateTeam updates the team of the organisation with the name.
func updateTeam(ctx context.Context, s storage.Store, name string, change func(*account.Team) error) error {
	_, err := s.UpdateTeam(ctx, "organisation-"+name, noon, func(team *account.Team) (storage.TeamEffects, error) {
		return storage.TeamEffects{}, change(team)
	})
	return err
}

// invite stores an invitation by the owner who has signed up, and returns its token hash.
func invite(t *testing.T, s storage.Store, name string, role account.Role, email string) string {
	t.Helper()
	inv := account.Invitation{ID: "invitation to " + strings.ReplaceAll(email, "@", " at ") + " by " + name, Email: email, Role: role, TokenHash: "token of " + email + " by " + name}
	require.NoError(t, updateTeam(t.Context(), s, name, func(team *account.Team) error { return team.Invite("user-"+name, inv, noon) }))
	return inv.TokenHash
}

// join makes a user a member of another organisation.
func join(t *testing.T, s storage.Store, user account.User, name string, role account.Role) {
	t.Helper()
	hash := invite(t, s, name, role, user.Email)
	require.NoError(t, updateTeam(t.Context(), s, name, func(team *account.Team) error { return team.Accept(hash, user, noon.Add(time.Hour)) }))
}

// getTeam returns the team of Ada's organisation.
func getTeam(t *testing.T, s storage.Store) account.Team {
	t.Helper()
	team, err := s.Team(t.Context(), "organisation-ada")
	require.NoError(t, err)
	return team
}

func newMember(user account.User, name string, role account.Role, joinedAt time.Time) account.Member {
	return account.Member{
		Membership: account.Membership{
			UserID: user.ID, OrganisationID: "organisation-" + name, Role: role, JoinedAt: joinedAt, LastUsedAt: joinedAt,
		},
		FirstName: user.FirstName, LastName: user.LastName, Email: user.Email, Verified: user.IsVerified(),
	}
}

func testTeamOfSignUp(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "other")
	ada := storeSignUp(t, s, "ada").User
	require.Equal(t, account.Team{
		OrganisationID: "organisation-ada", Members: []account.Member{newMember(ada, "ada", account.Owner, noon)},
	}, getTeam(t, s))
	_, err := s.Team(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
	requireFault(t, fault.NotFound, updateTeam(t.Context(), s, "unknown", func(*account.Team) error { return nil }))
}

func testUpdateTeam(t *testing.T, h Harness) {
	s := h.Open(t)
	ben, ada := storeSignUp(t, s, "ben").User, storeSignUp(t, s, "ada").User
	claimEmails(t, s, noon, 10)
	join(t, s, ben, "ada", account.BillingMember)
	hash := invite(t, s, "ada", account.ReadingMember, "sam@example.test")

	team := getTeam(t, s)
	bensMembership := newMember(ben, "ada", account.BillingMember, noon.Add(time.Hour))
	bensMembership.HasOtherOrganisations = true
	require.Equal(t, []account.Member{newMember(ada, "ada", account.Owner, noon), bensMembership}, team.Members)
	invitation, err := s.Invitation(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, account.Invitation{
		ID: "invitation to sam at example.test by ada", OrganisationID: "organisation-ada", Email: "sam@example.test",
		Role: account.ReadingMember, TokenHash: hash, InviterID: "user-ada", ExpiresAt: noon.Add(account.InvitationLifetime),
	}, invitation)
	require.Equal(t, []account.Invitation{invitation}, team.Invitations)
	requireContacts(t, s, "ada@example.test", "ada@example.test", "ben@example.test")
	memberships, err := s.Memberships(t.Context(), ben.ID)
	require.NoError(t, err)
	require.Len(t, memberships, 2)

	condition := storage.EmailCondition{LinkHash: hash, RecipientID: ben.ID, RecipientRole: account.Owner}
	hasLink, err := s.HasLink(t.Context(), hash)
	require.NoError(t, err)
	require.True(t, hasLink)
	_, err = s.UpdateTeam(t.Context(), "organisation-ada", noon, func(team *account.Team) (storage.TeamEffects, error) {
		err := team.ChangeRole("user-ada", ben.ID, account.Owner)
		email := storage.TeamEmail{Message: newMessage("ben@example.test"), Condition: condition, ExpiresAt: noon.Add(time.Hour)}
		return storage.TeamEffects{Emails: []storage.TeamEmail{email}}, err
	})
	require.NoError(t, err)
	emails := claimEmails(t, s, noon, 10)
	require.Len(t, emails, 1)
	require.Equal(t, "organisation-ada", emails[0].OrganisationID)
	require.Equal(t, noon.Add(time.Hour), emails[0].ExpiresAt)
	require.Equal(t, condition, emails[0].Condition)
	require.NoError(t, updateTeam(t.Context(), s, "ada", func(team *account.Team) error {
		return team.ChangeRole(ben.ID, "user-ada", account.ReadingMember)
	}))
	requireContacts(t, s, "ben@example.test", "ben@example.test")
	_, err = s.Invitation(t.Context(), hash)
	requireFault(t, fault.NotFound, err)
	hasLink, err = s.HasLink(t.Context(), hash)
	require.NoError(t, err)
	require.False(t, hasLink, "the inviter is not an owner any more")
}

// requireContacts requires the contact email and the member emails of Ada's organisation.
func requireContacts(t *testing.T, s storage.Store, contactEmail string, memberEmails ...string) {
	t.Helper()
	org, err := s.Organisation(t.Context(), "organisation-ada")
	require.NoError(t, err)
	require.Equal(t, contactEmail, org.ContactEmail)
	require.Equal(t, memberEmails, org.MemberEmails)
}

func testFailedUpdateTeam(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	before := getTeam(t, s)
	want := fault.New(fault.Conflict, "no")
	err := updateTeam(t.Context(), s, "ada", func(team *account.Team) error {
		team.Members[0].Role = account.ReadingMember
		return want
	})
	require.Equal(t, error(want), err)
	require.Equal(t, before, getTeam(t, s))
}

// addNewMember adds Sam, who has no other membership.
func addNewMember(t *testing.T, s storage.Store, role account.Role) account.User {
	t.Helper()
	user := newSignUp("sam").User
	user.OrganisationID = "organisation-ada"
	hash := invite(t, s, "ada", role, user.Email)
	require.NoError(t, acceptAsNewUser(t.Context(), s, hash, user))
	return user
}

func acceptAsNewUser(ctx context.Context, s storage.Store, hash string, user account.User) error {
	_, err := s.UpdateTeam(ctx, "organisation-ada", noon, func(team *account.Team) (storage.TeamEffects, error) {
		return storage.TeamEffects{NewUser: &user}, team.Accept(hash, user, noon.Add(time.Hour))
	})
	return err
}

func testRemoveMember(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	sam := addNewMember(t, s, account.ReadingMember)
	stored, err := s.User(t.Context(), sam.ID)
	require.NoError(t, err)
	require.Equal(t, sam, stored)

	require.NoError(t, updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Remove("user-ada", sam.ID) }))
	_, err = s.User(t.Context(), sam.ID)
	requireFault(t, fault.NotFound, err)
	require.NoError(t, s.CheckAvailable(t.Context(), "another", sam.Email), "the address is free again")
}

func testRemoveMemberOfTwoTeams(t *testing.T, h Harness) {
	s := h.Open(t)
	ben := storeSignUp(t, s, "ben").User
	storeSignUp(t, s, "ada")
	join(t, s, ben, "ada", account.Owner)
	require.NoError(t, updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Remove("user-ada", ben.ID) }))
	memberships, err := s.Memberships(t.Context(), ben.ID)
	require.NoError(t, err)
	require.Len(t, memberships, 1)
	require.Equal(t, "organisation-ben", memberships[0].OrganisationID)
}

func testInvitedUser(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	unverified := newSignUp("eve")
	unverified.User.Email, unverified.User.VerifiedAt = "sam@example.test", time.Time{}
	require.NoError(t, s.CreateSignUp(t.Context(), unverified))
	addNewMember(t, s, account.ReadingMember)
	_, err := s.User(t.Context(), unverified.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.Organisation(t.Context(), unverified.Organisation.ID)
	requireFault(t, fault.NotFound, err)
}

func testInvitedUserIsTaken(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	storeSignUp(t, s, "sam")
	hash := invite(t, s, "ada", account.ReadingMember, "sam@example.test")
	user := newSignUp("sam").User
	user.ID = "another"
	requireDuplicate(t, acceptAsNewUser(t.Context(), s, hash, user), "email")
	require.Len(t, getTeam(t, s).Members, 1)
}

// runBoth runs two updates concurrently and returns their errors.
func runBoth(first, second func() error) (errs [2]error) {
	var wg sync.WaitGroup
	for i, update := range []func() error{first, second} {
		wg.Go(func() { errs[i] = update() })
	}
	wg.Wait()
	return errs
}

// requireOneSucceeds requires that one error is nil and the other one has the code.
func requireOneSucceeds(t *testing.T, code fault.Code, errs [2]error) {
	t.Helper()
	codes := []fault.Code{fault.CodeOf(errs[0]), fault.CodeOf(errs[1])}
	require.ElementsMatch(t, []fault.Code{"", code}, codes, "%v", errs)
}

func testConcurrentLeave(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	sam := addNewMember(t, s, account.Owner)
	leave := func(id string) func() error {
		return func() error {
			return updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Leave(id) })
		}
	}
	requireOneSucceeds(t, fault.Conflict, runBoth(leave("user-ada"), leave(sam.ID)))
	team := getTeam(t, s)
	require.Len(t, team.Owners(), 1)
}

func testConcurrentRemove(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	sam := addNewMember(t, s, account.Owner)
	remove := func(by, id string) func() error {
		return func() error {
			return updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Remove(by, id) })
		}
	}
	requireOneSucceeds(t, fault.Forbidden, runBoth(remove("user-ada", sam.ID), remove(sam.ID, "user-ada")))
	team := getTeam(t, s)
	require.Len(t, team.Owners(), 1)
}

func testConcurrentAccept(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	ben := storeSignUp(t, s, "ben").User
	hash := invite(t, s, "ada", account.ReadingMember, ben.Email)
	accept := func() error {
		return updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Accept(hash, ben, noon) })
	}
	requireOneSucceeds(t, fault.NotFound, runBoth(accept, accept))
	require.Len(t, getTeam(t, s).Members, 2)
}

func testAcceptDuringRevoke(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	ben := storeSignUp(t, s, "ben").User
	hash := invite(t, s, "ada", account.ReadingMember, ben.Email)
	requireOneSucceeds(t, fault.NotFound, runBoth(
		func() error {
			return updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Accept(hash, ben, noon) })
		},
		func() error {
			return updateTeam(t.Context(), s, "ada", func(team *account.Team) error {
				return team.Revoke("user-ada", "ben@example.test")
			})
		},
	))
	require.Empty(t, getTeam(t, s).Invitations)
}

func testRemoveDuringJoin(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	storeSignUp(t, s, "ben")
	sam := addNewMember(t, s, account.ReadingMember)
	hash := invite(t, s, "ben", account.ReadingMember, sam.Email)
	errs := runBoth(
		func() error {
			return updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Remove("user-ada", sam.ID) })
		},
		func() error {
			return updateTeam(t.Context(), s, "ben", func(team *account.Team) error { return team.Accept(hash, sam, noon) })
		},
	)
	require.NoError(t, errs[0])
	_, err := s.User(t.Context(), sam.ID)
	memberships, listErr := s.Memberships(t.Context(), sam.ID)
	require.NoError(t, listErr)
	if errs[1] == nil {
		require.NoError(t, err)
		assert.Len(t, memberships, 1)
		return
	}
	requireFault(t, fault.NotFound, errs[1])
	requireFault(t, fault.NotFound, err)
	assert.Empty(t, memberships)
}

func testSweepInvitations(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	hash := invite(t, s, "ada", account.ReadingMember, "sam@example.test")
	expiresAt := noon.Add(account.InvitationLifetime)
	require.NoError(t, s.SweepInvitations(t.Context(), expiresAt, expiresAt.Add(-time.Minute)))
	_, err := s.Invitation(t.Context(), hash)
	requireFault(t, fault.NotFound, err)
	hash = invite(t, s, "ada", account.ReadingMember, "sam@example.test")
	require.NoError(t, s.SweepInvitations(t.Context(), expiresAt.Add(-time.Hour), expiresAt.Add(-time.Minute)))
	invitation, err := s.Invitation(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, expiresAt.Add(-time.Minute), invitation.ExpiresAt, "an expiry that is too late is limited")
}
