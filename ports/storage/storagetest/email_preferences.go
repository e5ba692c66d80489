package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var emailPreferenceScenarios = []scenario{
	{"DeclineNotice and AcceptNotice apply to one address of one organisation", testDeclineNotice},
	{"DeclineNotice for an unknown organisation is NotFound", testDeclineNoticeOfUnknownOrganisation},
}

func testDeclineNotice(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, bob := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "bob").Organisation.ID
	const email, other = "accounts@example.test", "other@example.test"
	for range 2 {
		require.NoError(t, s.DeclineNotice(t.Context(), ada, email, "renewal"))
		require.NoError(t, s.DeclineNotice(t.Context(), ada, email, "card"))
	}
	require.NoError(t, s.DeclineNotice(t.Context(), ada, other, "card"))

	require.Equal(t, []billing.NoticeKind{"card", "renewal"}, declinedKinds(t, s, ada, email))
	require.Equal(t, []billing.NoticeKind{"card"}, declinedKinds(t, s, ada, other))
	require.Empty(t, declinedKinds(t, s, bob, email))

	for range 2 {
		require.NoError(t, s.AcceptNotice(t.Context(), ada, email, "card"))
	}
	require.Equal(t, []billing.NoticeKind{"renewal"}, declinedKinds(t, s, ada, email))
	require.Equal(t, []billing.NoticeKind{"card"}, declinedKinds(t, s, ada, other))
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
