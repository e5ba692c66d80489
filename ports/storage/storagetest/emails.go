package storagetest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var emailScenarios = []scenario{
	{"ClaimEmails returns due emails", testEmailIsDue},
	{"ClaimEmails hides the emails it returns and counts attempts", testClaimHidesEmail},
	{"ClaimEmails returns the oldest emails first", testEmailsInOrder},
	{"PostponeEmail changes when an email is due", testPostponeEmail},
	{"FinishEmail deletes an email and can be repeated", testFinishEmail},
	{"concurrent ClaimEmails calls claim each email once", testConcurrentEmailClaims},
	{"ClaimEmailRequest returns the oldest due request", testEmailRequests},
	{"concurrent ClaimEmailRequest calls claim each request once", testConcurrentEmailRequestClaims},
}

// addEmail puts an email into the outbox. The recipient identifies it.
func addEmail(t *testing.T, s storage.Store, userID, to string, now time.Time) {
	t.Helper()
	v := account.Verification{TokenHash: "hash for " + to, UserID: userID, ExpiresAt: now.Add(time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), v, newMessage(to), now))
}

// newStoreWithUser returns a store with a user and an empty outbox.
func newStoreWithUser(t *testing.T, h Harness) (s storage.Store, userID string) {
	t.Helper()
	s = h.Open(t)
	signup := signUp(t, s, "ada")
	for _, email := range claimEmails(t, s, noon, 10) {
		require.NoError(t, s.FinishEmail(t.Context(), email.ID))
	}
	return s, signup.User.ID
}

func testEmailIsDue(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	for i, dueAt := range fractionalTimes() {
		to := strconv.Itoa(i)
		addEmail(t, s, userID, to, dueAt)
		require.Empty(t, claimEmails(t, s, dueAt.Add(-time.Microsecond), 10))
		emails := claimEmails(t, s, dueAt, 10)
		require.Equal(t, []string{to}, recipients(emails))
		require.NoError(t, s.FinishEmail(t.Context(), emails[0].ID))
	}
}

// testClaimHidesEmail checks that an email that is neither finished nor postponed becomes due again.
func testClaimHidesEmail(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmail(t, s, userID, "a", noon)
	now := noon
	for attempt := 1; attempt <= 3; attempt++ {
		emails, err := s.ClaimEmails(t.Context(), now, now.Add(time.Minute), 10)
		require.NoError(t, err)
		require.Len(t, emails, 1)
		require.Equal(t, attempt, emails[0].Attempts)
		require.NotEmpty(t, emails[0].ID)
		require.Empty(t, claimEmails(t, s, now.Add(time.Minute-time.Microsecond), 10))
		now = now.Add(time.Minute)
	}
}

// testEmailsInOrder also adds two emails with the same time and checks that they keep their order.
func testEmailsInOrder(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmail(t, s, userID, "third", noon.Add(2*time.Second))
	addEmail(t, s, userID, "first", noon)
	addEmail(t, s, userID, "second", noon.Add(time.Second))
	addEmail(t, s, userID, "fourth", noon.Add(2*time.Second))
	now := noon.Add(time.Minute)
	require.Empty(t, claimEmails(t, s, now, 0))
	require.Equal(t, []string{"first"}, recipients(claimEmails(t, s, now, 1)))
	require.Equal(t, []string{"second", "third"}, recipients(claimEmails(t, s, now, 2)))
	require.Equal(t, []string{"fourth"}, recipients(claimEmails(t, s, now, 10)))
	require.Equal(t, []string{"first", "second", "third", "fourth"}, recipients(claimEmails(t, s, now.Add(time.Hour), 10)))
}

func testPostponeEmail(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmail(t, s, userID, "a", noon)
	addEmail(t, s, userID, "b", noon)
	email := claimEmails(t, s, noon, 1)[0]
	require.NoError(t, s.PostponeEmail(t.Context(), email.ID, noon.Add(time.Minute)))
	require.Equal(t, []string{"b"}, recipients(claimEmails(t, s, noon.Add(59*time.Second), 10)))
	emails := claimEmails(t, s, noon.Add(time.Minute), 10)
	require.Equal(t, []string{"a"}, recipients(emails))
	require.Equal(t, email.ID, emails[0].ID)
	require.Equal(t, 2, emails[0].Attempts)
}

// testFinishEmail also finishes an email twice, as overlapping deliveries do.
func testFinishEmail(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmail(t, s, userID, "a", noon)
	addEmail(t, s, userID, "b", noon)
	email := claimEmails(t, s, noon, 1)[0]
	require.NoError(t, s.FinishEmail(t.Context(), email.ID))
	require.NoError(t, s.FinishEmail(t.Context(), email.ID))
	require.NoError(t, s.PostponeEmail(t.Context(), email.ID, noon))
	require.Equal(t, []string{"b"}, recipients(claimEmails(t, s, noon.Add(24*time.Hour), 10)))
	require.NotEqual(t, fault.Internal, fault.CodeOf(s.FinishEmail(t.Context(), "unknown id")))
}

func testConcurrentEmailClaims(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	var want []string
	for i := range 3 * workers {
		want = append(want, fmt.Sprintf("%03d", i))
		addEmail(t, s, userID, want[i], noon.Add(time.Duration(i)))
	}
	claimedRecipients := make([][]string, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) { claimedRecipients[worker] = claimAllEmails(t, store) })
	allRecipients := slices.Concat(claimedRecipients...)
	slices.Sort(allRecipients)
	require.Equal(t, want, allRecipients)
}

// claimAllEmails claims emails until none is due and returns their recipients.
func claimAllEmails(t *testing.T, s storage.Store) []string {
	var addresses []string
	for {
		emails, err := s.ClaimEmails(t.Context(), noon.Add(time.Minute), noon.Add(time.Hour), 2)
		if !assert.NoError(t, err) || len(emails) == 0 {
			return addresses
		}
		addresses = append(addresses, recipients(emails)...)
	}
}

func testEmailRequests(t *testing.T, h Harness) {
	s := h.Open(t)
	for i, email := range []string{"second@example.test", "first@example.test"} {
		require.NoError(t, s.AddEmailRequest(t.Context(), storage.EmailRequest{
			Kind: storage.VerificationEmail, Email: email, RequestedAt: noon.Add(-time.Duration(i) * time.Second),
		}))
	}
	claim := func(now time.Time) (storage.EmailRequest, error) {
		return s.ClaimEmailRequest(t.Context(), now, now.Add(time.Minute))
	}

	firstReq, err := claim(noon)
	require.NoError(t, err)
	require.NotEmpty(t, firstReq.ID)
	require.Equal(t, storage.EmailRequest{
		ID: firstReq.ID, Kind: storage.VerificationEmail, Email: "first@example.test", RequestedAt: noon.Add(-time.Second),
	}, firstReq)
	_, err = claim(noon.Add(-time.Microsecond))
	requireFault(t, fault.NotFound, err)
	secondReq, err := claim(noon)
	require.NoError(t, err)
	require.Equal(t, "second@example.test", secondReq.Email)
	_, err = claim(noon)
	requireFault(t, fault.NotFound, err)

	require.NoError(t, s.FinishEmailRequest(t.Context(), firstReq.ID))
	require.NoError(t, s.FinishEmailRequest(t.Context(), firstReq.ID))
	reclaimedReq, err := claim(noon.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, secondReq, reclaimedReq, "an unfinished request is due again")
}

func testConcurrentEmailRequestClaims(t *testing.T, h Harness) {
	s := h.Open(t)
	for range workers {
		require.NoError(t,
			s.AddEmailRequest(t.Context(), storage.EmailRequest{Kind: storage.VerificationEmail, RequestedAt: noon}))
	}
	ids := make([]string, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		ids[worker] = claimRequestID(t.Context(), store)
	})
	isClaimed := map[string]bool{}
	for _, id := range ids {
		assert.False(t, id != "" && isClaimed[id], "%s is claimed twice", id)
		isClaimed[id] = true
	}
}

// claimRequestID claims a request and returns its id, or "" if no request is due.
func claimRequestID(ctx context.Context, s storage.Store) string {
	r, err := s.ClaimEmailRequest(ctx, noon, noon.Add(time.Hour))
	if err != nil {
		return ""
	}
	return r.ID
}
