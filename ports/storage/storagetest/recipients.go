package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var emailPreferenceScenarios = []scenario{
	{"DeclineNotice and AcceptNotice apply to one address of one organisation", testDeclineNotice},
	{"DeclineNotice for an unknown organisation is NotFound", testDeclineNoticeOfUnknownOrganisation},
	{"declined notices follow the address of a member and are deleted with the membership", testDeclinedNoticesOfMembers},
}

func testDeclineNotice(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "bob").Organisation.ID
	const email, otherEmail = "accounts@example.test", "other@example.test"
	for range 2 {
		require.NoError(t, s.DeclineNotice(t.Context(), orgID, email, "renewal"))
		require.NoError(t, s.DeclineNotice(t.Context(), orgID, email, "card"))
	}
	require.NoError(t, s.DeclineNotice(t.Context(), orgID, otherEmail, "card"))

	require.Equal(t, []billing.NoticeKind{"card", "renewal"}, declinedKinds(t, s, orgID, email))
	require.Equal(t, []billing.NoticeKind{"card"}, declinedKinds(t, s, orgID, otherEmail))
	require.Empty(t, declinedKinds(t, s, otherOrgID, email))

	for range 2 {
		require.NoError(t, s.AcceptNotice(t.Context(), orgID, email, "card"))
	}
	require.Equal(t, []billing.NoticeKind{"renewal"}, declinedKinds(t, s, orgID, email))
	require.Equal(t, []billing.NoticeKind{"card"}, declinedKinds(t, s, orgID, otherEmail))
}

func testDeclinedNoticesOfMembers(t *testing.T, h Harness) {
	s := h.Open(t)
	ben, ada := storeSignUp(t, s, "ben").User, storeSignUp(t, s, "ada").User
	join(t, s, ben, "ada", account.BillingMember)
	for _, email := range []string{ada.Email, ben.Email} {
		require.NoError(t, s.DeclineNotice(t.Context(), "organisation-ada", email, "card"))
	}
	_, err := s.UpdateCredentials(t.Context(), ada.ID, noon, changeCredentials(func(c *account.Credentials) { c.User.Email = "new@example.test" }))
	require.NoError(t, err)
	require.Empty(t, declinedKinds(t, s, "organisation-ada", ada.Email))
	require.Equal(t, []billing.NoticeKind{"card"}, declinedKinds(t, s, "organisation-ada", "new@example.test"))

	_, err = s.UpdateOrganisation(t.Context(), "organisation-ada", func(o *account.Organisation) error {
		details := o.BillingDetails()
		details.BillingEmail = ben.Email
		o.Details = &details
		return nil
	})
	require.NoError(t, err)
	remove := func() {
		t.Helper()
		require.NoError(t, updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Remove(ada.ID, ben.ID) }))
	}
	remove()
	require.Equal(t, []billing.NoticeKind{"card"}, declinedKinds(t, s, "organisation-ada", ben.Email), "it is the billing email")
	_, err = s.UpdateOrganisation(t.Context(), "organisation-ada", func(o *account.Organisation) error {
		o.Details = nil
		return nil
	})
	require.NoError(t, err)
	join(t, s, ben, "ada", account.BillingMember)
	remove()
	require.Empty(t, declinedKinds(t, s, "organisation-ada", ben.Email))
}

func declinedKinds(t *testing.T, s storage.Store, organisationID, email string) []billing.NoticeKind {
	t.Helper()
	kinds, err := s.DeclinedNotices(t.Context(), organisationID, email)
	require.NoError(t, err)
	return kinds
}

func testDeclineNoticeOfUnknownOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	requireFault(t, fault.NotFound, s.DeclineNotice(t.Context(), "unknown", "accounts@example.test", "card"))
}

var unreachableEmailScenarios = []scenario{
	{"MarkUnreachable marks an address of one organisation and MarkReachable reverts it", testMarkUnreachable},
	{"SweepUnreachable keeps newer marks", testSweepUnreachable},
}

func testMarkUnreachable(t *testing.T, h Harness) {
	s := h.Open(t)
	findUnreachable := func(organisationID string, emails ...string) []string {
		t.Helper()
		unreachableEmails, err := s.Unreachable(t.Context(), organisationID, emails...)
		require.NoError(t, err)
		return unreachableEmails
	}
	for i, email := range []string{"a@example.test", "b@example.test", "a@example.test"} {
		require.NoError(t, s.MarkUnreachable(t.Context(), "org-1", email, noon.Add(time.Duration(i)*time.Second)))
	}
	require.NoError(t, s.MarkUnreachable(t.Context(), "org-2", "a@example.test", noon))

	require.Equal(t, []string{"b@example.test", "a@example.test"},
		findUnreachable("org-1", "b@example.test", "c@example.test", "a@example.test"))
	require.Equal(t, []string{"a@example.test"}, findUnreachable("org-2", "b@example.test", "a@example.test"))
	require.Empty(t, findUnreachable("org-3", "a@example.test"))
	require.Empty(t, findUnreachable("org-1", "c@example.test"))
	require.Empty(t, findUnreachable("org-1"))

	for range 2 {
		require.NoError(t, s.MarkReachable(t.Context(), "a@example.test"))
	}
	require.Equal(t, []string{"b@example.test"}, findUnreachable("org-1", "a@example.test", "b@example.test"))
	require.Empty(t, findUnreachable("org-2", "a@example.test"))
}

// testSweepUnreachable also checks that a repeated mark keeps its first time, and that a mark made exactly at the given
// time is kept.
func testSweepUnreachable(t *testing.T, h Harness) {
	s := h.Open(t)
	require.NoError(t, s.MarkUnreachable(t.Context(), "org-1", "old@example.test", noon.Add(-time.Microsecond)))
	require.NoError(t, s.MarkUnreachable(t.Context(), "org-1", "old@example.test", noon.Add(time.Hour)))
	require.NoError(t, s.MarkUnreachable(t.Context(), "org-1", "new@example.test", noon))

	require.NoError(t, s.SweepUnreachable(t.Context(), noon))

	unreachableEmails, err := s.Unreachable(t.Context(), "org-1", "old@example.test", "new@example.test")
	require.NoError(t, err)
	require.Equal(t, []string{"new@example.test"}, unreachableEmails)
}
