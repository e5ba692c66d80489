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
	{"ClaimEmails ignores times of a wrong clock", testWrongClocks},
	{"ClaimEmails returns the oldest emails first", testEmailsInOrder},
	{"PostponeEmail changes when an email is due", testPostponeEmail},
	{"FinishEmail deletes an email and can be repeated", testFinishEmail},
	{"PostponeEmail has no effect after the claim has expired", testPostponeExpiredClaim},
	{"FinishEmail restarts a registration whose email was delayed", testFinishDelayedSignUpEmail},
	{"ClaimEmails returns when the link of an email expires", testEmailExpiry},
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
	signUp := storeSignUp(t, s, "ada")
	deleteEmails(t, s)
	return s, signUp.User.ID
}

// deleteEmails deletes all emails that were added by noon, without sending them.
func deleteEmails(t *testing.T, s storage.Store) {
	t.Helper()
	for _, email := range claimEmails(t, s, noon, 100) {
		require.NoError(t, s.FinishEmail(t.Context(), email.ID, storage.EmailOutcome{}))
	}
}

func testEmailIsDue(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	for i, dueAt := range fractionalTimes() {
		to := strconv.Itoa(i)
		addEmail(t, s, userID, to, dueAt)
		require.Empty(t, claimEmails(t, s, dueAt.Add(-time.Microsecond), 10))
		emails := claimEmails(t, s, dueAt, 10)
		require.Equal(t, []string{to}, recipients(emails))
		require.NoError(t, s.FinishEmail(t.Context(), emails[0].ID, storage.EmailOutcome{SentAt: noon}))
	}
}

// testClaimHidesEmail checks that an email that is neither finished nor postponed can be claimed again when its claim has
// expired. The clocks of the two servers differ by more than the lease, and neither is the clock of the database.
func testClaimHidesEmail(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	databaseNow := noon.Add(-100 * time.Hour)
	var stores []storage.Store
	for _, store := range h.sharedStores(t, s) {
		h.UseClock(t, store, func() time.Time { return databaseNow })
		stores = append(stores, store)
	}
	first, second := stores[0], stores[len(stores)-1]
	addEmail(t, s, userID, "a", noon)
	for attempt := 1; attempt <= 3; attempt++ {
		emails, err := first.ClaimEmails(t.Context(), noon, time.Minute, 10)
		require.NoError(t, err)
		require.Len(t, emails, 1)
		require.Equal(t, attempt, emails[0].Attempts)
		require.NotEmpty(t, emails[0].ID)
		require.Equal(t, emails[0].ID, emails[0].Message.ID)
		require.Equal(t, userID, emails[0].UserID)
		require.Equal(t, noon, emails[0].CreatedAt)
		databaseNow = databaseNow.Add(time.Minute - time.Microsecond)
		for _, skew := range []time.Duration{0, 3 * time.Minute, 100 * 24 * time.Hour} {
			emails, err := second.ClaimEmails(t.Context(), noon.Add(skew), time.Minute, 10)
			require.NoError(t, err)
			require.Empty(t, emails)
		}
		databaseNow = databaseNow.Add(time.Microsecond)
	}
}

// testWrongClocks checks that times that were computed with a wrong clock do not delay an email.
func testWrongClocks(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	databaseNow := noon.AddDate(1, 0, 0)
	h.UseClock(t, s, func() time.Time { return databaseNow })
	claim := func() []storage.Email {
		emails, err := s.ClaimEmails(t.Context(), noon, time.Minute, 10)
		require.NoError(t, err)
		return emails
	}
	addEmail(t, s, userID, "near", noon.Add(storage.MaxEmailDelay))
	require.Empty(t, claim())
	addEmail(t, s, userID, "far", noon.Add(storage.MaxEmailDelay+time.Second))
	require.Equal(t, []string{"far"}, recipients(claim()))
	databaseNow = noon // the clock of the database was wrong when the email was claimed
	require.Equal(t, []string{"far"}, recipients(claim()))
	require.Empty(t, claim())
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
	require.Empty(t, claimEmails(t, s, now.Add(time.Hour), 10))
}

func testPostponeEmail(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmail(t, s, userID, "a", noon)
	addEmail(t, s, userID, "b", noon)
	email := claimEmails(t, s, noon, 1)[0]
	require.Zero(t, email.RefusedAt)
	email.RefusedAt = noon.Add(time.Second)
	require.NoError(t, s.PostponeEmail(t.Context(), email, noon.Add(time.Minute)))
	require.Equal(t, []string{"b"}, recipients(claimEmails(t, s, noon.Add(59*time.Second), 10)))
	emails := claimEmails(t, s, noon.Add(time.Minute), 10)
	require.Equal(t, []string{"a"}, recipients(emails))
	require.Equal(t, email.ID, emails[0].ID)
	require.Equal(t, 2, emails[0].Attempts)
	require.Equal(t, email.RefusedAt, emails[0].RefusedAt)
}

// testPostponeExpiredClaim checks that a server that was suspended does not end the claim of another one.
func testPostponeExpiredClaim(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	databaseNow := noon
	h.UseClock(t, s, func() time.Time { return databaseNow })
	addEmail(t, s, userID, "a", noon)
	expiredClaim := claimEmails(t, s, noon, 1)[0]
	databaseNow = databaseNow.Add(2 * time.Hour)
	require.Len(t, claimEmails(t, s, noon, 1), 1)
	require.NoError(t, s.PostponeEmail(t.Context(), expiredClaim, noon))
	require.Empty(t, claimEmails(t, s, noon, 1))
}

// testFinishDelayedSignUpEmail checks that a registration does not expire while its email waits, and that the link is
// valid from the delivery. An email that the user requested later does not extend the registration.
func testFinishDelayedSignUpEmail(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := createSignUp(t, s, newUnverifiedSignUp("ada"))
	deliveredAt := signUp.User.CreatedAt.Add(3 * 24 * time.Hour)
	email := claimEmails(t, s, deliveredAt, 1)[0]
	require.Zero(t, email.ExpiresAt)
	sweep := func(now time.Time) {
		t.Helper()
		_, err := s.SweepRegistrations(t.Context(), now.Add(-account.VerificationLifetime), 10)
		require.NoError(t, err)
		require.NoError(t, s.SweepVerifications(t.Context(), now, noon.AddDate(2, 0, 0)))
	}
	sweep(deliveredAt)

	require.NoError(t, s.FinishEmail(t.Context(), email.ID, storage.EmailOutcome{SentAt: deliveredAt}))

	sweep(deliveredAt)
	user, err := s.User(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	require.Equal(t, deliveredAt.Add(account.VerificationLifetime), user.RegistrationExpiresAt())
	verification, err := s.Verification(t.Context(), signUp.Verification.TokenHash)
	require.NoError(t, err)
	require.Equal(t, user.RegistrationExpiresAt(), verification.ExpiresAt)

	addEmail(t, s, user.ID, "again", deliveredAt)
	laterEmail := claimEmails(t, s, deliveredAt.Add(time.Hour), 1)[0]
	require.NoError(t, s.FinishEmail(t.Context(), laterEmail.ID, storage.EmailOutcome{SentAt: deliveredAt.Add(time.Hour)}))
	user, err = s.User(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	require.Equal(t, deliveredAt, user.CreatedAt)

	sweep(deliveredAt.Add(account.VerificationLifetime))
	_, err = s.User(t.Context(), signUp.User.ID)
	requireFault(t, fault.NotFound, err)
}

func testEmailExpiry(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	user, err := s.User(t.Context(), userID)
	require.NoError(t, err)
	expiresAt := noon.Add(time.Hour)
	require.NoError(t, s.AddPasswordReset(t.Context(),
		account.PasswordReset{TokenHash: "reset", UserID: userID, ExpiresAt: expiresAt}, newMessage("reset"), noon))
	require.NoError(t, s.AddEmailConfirmation(t.Context(), account.EmailConfirmation{
		TokenHash: "confirmation", OrganisationID: user.OrganisationID, Email: "a@example.test", ExpiresAt: expiresAt,
	}, newMessage("confirmation"), noon))
	addEmail(t, s, userID, "verification", noon)
	emails := claimEmails(t, s, noon, 10)
	require.Equal(t, []string{"reset", "confirmation", "verification"}, recipients(emails))
	for _, email := range emails {
		require.Equal(t, expiresAt, email.ExpiresAt)
	}
	require.Equal(t, user.OrganisationID, emails[1].OrganisationID)
	require.Zero(t, emails[1].Notice)
	require.Equal(t, storage.EmailCondition{LinkHash: "reset"}, emails[0].Condition)
	hasLink, err := s.HasLink(t.Context(), "reset")
	require.NoError(t, err)
	require.True(t, hasLink)
}

// testFinishEmail also finishes an email twice, as overlapping deliveries do.
func testFinishEmail(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmail(t, s, userID, "a", noon)
	addEmail(t, s, userID, "b", noon)
	email := claimEmails(t, s, noon, 1)[0]
	require.NoError(t, s.FinishEmail(t.Context(), email.ID, storage.EmailOutcome{SentAt: noon}))
	require.NoError(t, s.FinishEmail(t.Context(), email.ID, storage.EmailOutcome{SentAt: noon}))
	require.NoError(t, s.PostponeEmail(t.Context(), email, noon))
	require.NoError(t, s.PostponeEmail(t.Context(), storage.Email{ID: "unknown id"}, noon))
	require.Equal(t, []string{"b"}, recipients(claimEmails(t, s, noon.Add(24*time.Hour), 10)))
	require.NotEqual(t, fault.Internal, fault.CodeOf(s.FinishEmail(t.Context(), "unknown id", storage.EmailOutcome{SentAt: noon})))
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
		emails, err := s.ClaimEmails(t.Context(), noon.Add(time.Minute), time.Hour, 2)
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
			Kind: storage.VerificationEmail, Email: email, UserID: "user of " + email,
			RequestedAt: noon.Add(-time.Duration(i) * time.Second),
		}))
	}
	databaseNow := noon.AddDate(1, 0, 0)
	h.UseClock(t, s, func() time.Time { return databaseNow })
	claim := func(now time.Time) (storage.EmailRequest, error) {
		return s.ClaimEmailRequest(t.Context(), now, time.Minute)
	}

	firstReq, err := claim(noon)
	require.NoError(t, err)
	require.NotEmpty(t, firstReq.ID)
	require.Equal(t, storage.EmailRequest{
		ID: firstReq.ID, Kind: storage.VerificationEmail, Email: "first@example.test", UserID: "user of first@example.test",
		RequestedAt: noon.Add(-time.Second),
	}, firstReq)
	_, err = claim(noon.Add(-time.Microsecond))
	requireFault(t, fault.NotFound, err)
	secondReq, err := claim(noon)
	require.NoError(t, err)
	require.Equal(t, "second@example.test", secondReq.Email)
	_, err = claim(noon.Add(3 * time.Minute))
	requireFault(t, fault.NotFound, err)

	require.NoError(t, s.FinishEmailRequest(t.Context(), firstReq.ID))
	require.NoError(t, s.FinishEmailRequest(t.Context(), firstReq.ID))
	databaseNow = databaseNow.Add(time.Minute)
	reclaimedReq, err := claim(noon)
	require.NoError(t, err)
	require.Equal(t, secondReq, reclaimedReq, "an unfinished request is due again")

	require.NoError(t, s.PostponeEmailRequest(t.Context(), secondReq.ID, noon.Add(time.Second)))
	_, err = claim(noon)
	requireFault(t, fault.NotFound, err)
	_, err = claim(noon.Add(time.Second))
	require.NoError(t, err, "a postponed request is not claimed")
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
	r, err := s.ClaimEmailRequest(ctx, noon, time.Hour)
	if err != nil {
		return ""
	}
	return r.ID
}
