package storagetest

import (
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var paymentScenarios = []scenario{
	{"BeginPaymentAttempt passes the earlier attempts to the callback", testEarlierPaymentAttempts},
	{"BeginPaymentAttempt stores nothing if the callback fails", testRefusedPaymentAttempt},
	{"BeginPaymentAttempt stores a repeated key once", testRepeatedPaymentAttempt},
	{"RecordHardDecline marks one attempt", testRecordHardDecline},
	{"SweepPaymentAttempts deletes older attempts", testSweepPaymentAttempts},
	{"concurrent payment attempts do not exceed the limit", testConcurrentPaymentAttempts},
	{"SaveUnconfirmedCard keeps the first record of a payment method", testSaveUnconfirmedCard},
	{"DeleteUnconfirmedCard deletes one record and can be repeated", testDeleteUnconfirmedCard},
	{"ClaimUnconfirmedCardCheck postpones all records of an organisation", testClaimUnconfirmedCardCheck},
	{"ClaimUnconfirmedCardCheck ignores times of a wrong clock", testWrongClockOfCardCheck},
}

func newPaymentAttempt(key, organisationID, invoice, card string, at time.Time) billing.PaymentAttempt {
	return billing.PaymentAttempt{Key: key, OrganisationID: organisationID, InvoiceID: invoice, Card: card, At: at}
}

// beginAttempt stores the attempt and returns the earlier attempts that check received.
func beginAttempt(t *testing.T, s storage.Store, a billing.PaymentAttempt) (earlier []billing.PaymentAttempt) {
	t.Helper()
	require.NoError(t, s.BeginPaymentAttempt(t.Context(), a, func(attempts []billing.PaymentAttempt) error {
		earlier = attempts
		return nil
	}))
	return earlier
}

func testEarlierPaymentAttempts(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	var want []billing.PaymentAttempt
	for i, at := range fractionalTimes() {
		a := newPaymentAttempt(strconv.Itoa(i), orgID, "in_1", "card", at)
		a.HardDecline = i%2 == 1
		require.Equal(t, want, append([]billing.PaymentAttempt(nil), beginAttempt(t, s, a)...))
		want = append(want, a)
	}
	require.Empty(t, beginAttempt(t, s, newPaymentAttempt("other invoice", orgID, "in_2", "card", noon)))
	require.Empty(t, beginAttempt(t, s, newPaymentAttempt("other card", orgID, "in_1", "other", noon)))
	require.Empty(t, beginAttempt(t, s, newPaymentAttempt("other organisation", otherOrgID, "in_1", "card", noon)))

	err := s.BeginPaymentAttempt(t.Context(), newPaymentAttempt("orphan", "unknown", "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return nil })
	requireFault(t, fault.NotFound, err)
}

func testRefusedPaymentAttempt(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := signUp(t, s, "ada").Organisation.ID
	errRefused := fault.New(fault.RateLimited, "too often")

	err := s.BeginPaymentAttempt(t.Context(), newPaymentAttempt("refused", orgID, "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return errRefused })

	require.Same(t, errRefused, err)
	nextAttempt := newPaymentAttempt("next", orgID, "in_1", "card", noon)
	require.Empty(t, beginAttempt(t, s, nextAttempt), "a refused attempt is not stored")
}

func testRepeatedPaymentAttempt(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := signUp(t, s, "ada").Organisation.ID
	attempt := newPaymentAttempt("first", orgID, "in_1", "card", noon)
	beginAttempt(t, s, attempt)

	repeatedAttempt := attempt
	repeatedAttempt.At = noon.Add(time.Minute)
	require.NoError(t, s.BeginPaymentAttempt(t.Context(), repeatedAttempt, func([]billing.PaymentAttempt) error {
		return fault.New(fault.RateLimited, "a repeat is not checked")
	}))

	require.Equal(t, []billing.PaymentAttempt{attempt},
		beginAttempt(t, s, newPaymentAttempt("second", orgID, "in_1", "card", noon.Add(time.Hour))))
}

func testRecordHardDecline(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := signUp(t, s, "ada").Organisation.ID
	attempt := newPaymentAttempt("first", orgID, "in_1", "card", noon)
	beginAttempt(t, s, attempt)

	require.NoError(t, s.RecordHardDecline(t.Context(), "first"))
	require.NoError(t, s.RecordHardDecline(t.Context(), "unknown"))

	attempt.HardDecline = true
	require.Equal(t, []billing.PaymentAttempt{attempt},
		beginAttempt(t, s, newPaymentAttempt("second", orgID, "in_1", "card", noon)))
}

func testSweepPaymentAttempts(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := signUp(t, s, "ada").Organisation.ID
	beginAttempt(t, s, newPaymentAttempt("older", orgID, "in_1", "card", noon.Add(-time.Microsecond)))
	newerAttempt := newPaymentAttempt("newer", orgID, "in_1", "card", noon)
	beginAttempt(t, s, newerAttempt)

	require.NoError(t, s.SweepPaymentAttempts(t.Context(), noon))

	require.Equal(t, []billing.PaymentAttempt{newerAttempt},
		beginAttempt(t, s, newPaymentAttempt("next", orgID, "in_1", "card", noon)))
}

func testConcurrentPaymentAttempts(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := signUp(t, s, "ada").Organisation.ID
	var successes atomic.Int64
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		err := store.BeginPaymentAttempt(t.Context(),
			newPaymentAttempt(strconv.Itoa(worker), orgID, "in_1", "card", noon),
			func(earlier []billing.PaymentAttempt) error { return billing.CheckPaymentAttempt(earlier, noon) })
		if err == nil {
			successes.Add(1)
			return
		}
		assert.Equal(t, fault.RateLimited, fault.CodeOf(err))
	})
	require.EqualValues(t, billing.MaxPaymentAttempts, successes.Load())
}

func newUnconfirmedCard(id, organisationID string, at time.Time) billing.UnconfirmedCard {
	return billing.UnconfirmedCard{
		ID: id, OrganisationID: organisationID, FormerDefault: "former of " + id, RecordedAt: at, CheckAt: at.Add(time.Hour),
	}
}

func saveUnconfirmedCard(t *testing.T, s storage.Store, c billing.UnconfirmedCard) billing.UnconfirmedCard {
	t.Helper()
	require.NoError(t, s.SaveUnconfirmedCard(t.Context(), c))
	return c
}

func requireUnconfirmedCards(t *testing.T, s storage.Store, organisationID string, want ...billing.UnconfirmedCard) {
	t.Helper()
	cards, err := s.UnconfirmedCards(t.Context(), organisationID)
	require.NoError(t, err)
	require.Equal(t, want, cards)
}

func testSaveUnconfirmedCard(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	requireUnconfirmedCards(t, s, orgID)
	newerCard := saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_2", orgID, noon.Add(time.Microsecond)))
	olderCard := saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_1", orgID, noon))
	cardWithoutFormerDefault := newUnconfirmedCard("pm_3", orgID, noon.Add(time.Minute))
	cardWithoutFormerDefault.FormerDefault = ""
	saveUnconfirmedCard(t, s, cardWithoutFormerDefault)
	saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_1", otherOrgID, noon))

	repeatedCard := newUnconfirmedCard("pm_1", orgID, noon.Add(time.Hour))
	repeatedCard.FormerDefault = "pm_1"
	saveUnconfirmedCard(t, s, repeatedCard)

	requireUnconfirmedCards(t, s, orgID, olderCard, newerCard, cardWithoutFormerDefault)
	requireFault(t, fault.NotFound, s.SaveUnconfirmedCard(t.Context(), newUnconfirmedCard("pm_1", "unknown", noon)))
}

func testDeleteUnconfirmedCard(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_1", orgID, noon))
	secondCard := saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_2", orgID, noon))
	otherCard := saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_1", otherOrgID, noon))

	require.NoError(t, s.DeleteUnconfirmedCard(t.Context(), orgID, "pm_1"))
	require.NoError(t, s.DeleteUnconfirmedCard(t.Context(), orgID, "pm_1"))

	requireUnconfirmedCards(t, s, orgID, secondCard)
	requireUnconfirmedCards(t, s, otherOrgID, otherCard)
}

func testClaimUnconfirmedCardCheck(t *testing.T, h Harness) {
	s := h.Open(t)
	databaseNow := noon.Add(-100 * time.Hour)
	h.UseClock(t, s, func() time.Time { return databaseNow })
	orgID, otherOrgID := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	dueAt := noon.Add(time.Hour)
	saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_1", orgID, noon.Add(time.Second)))
	saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_2", otherOrgID, noon))
	saveUnconfirmedCard(t, s, newUnconfirmedCard("pm_3", otherOrgID, noon.Add(time.Millisecond)))
	claim := func(now time.Time, wantID string) storage.Check {
		t.Helper()
		check, err := s.ClaimUnconfirmedCardCheck(t.Context(), now, time.Minute)
		if wantID == "" {
			requireFault(t, fault.NotFound, err)
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, wantID, check.OrganisationID)
		return check
	}

	claim(dueAt.Add(-time.Microsecond), "")
	otherCheck := claim(dueAt.Add(time.Minute), otherOrgID)
	check := claim(dueAt.Add(time.Minute), orgID)
	claim(dueAt.Add(time.Hour), "")

	require.NoError(t, s.ReleaseUnconfirmedCardCheck(t.Context(), otherCheck, dueAt.Add(10*time.Minute)))
	claim(dueAt.Add(10*time.Minute-time.Microsecond), "")
	claim(dueAt.Add(10*time.Minute), otherOrgID)
	claim(dueAt.Add(time.Hour), "")

	databaseNow = databaseNow.Add(time.Minute)
	claim(dueAt.Add(10*time.Minute), orgID)
	require.NoError(t, s.ReleaseUnconfirmedCardCheck(t.Context(), check, dueAt))
	claim(dueAt.Add(10*time.Minute), "")
}

// testWrongClockOfCardCheck checks that a time that was computed with a wrong clock does not delay a check.
func testWrongClockOfCardCheck(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := signUp(t, s, "ada").Organisation.ID
	card := newUnconfirmedCard("pm_1", orgID, noon)
	card.CheckAt = noon.Add(2 * storage.MaxCardCheckInterval)
	saveUnconfirmedCard(t, s, card)
	_, err := s.ClaimUnconfirmedCardCheck(t.Context(), noon, time.Minute)
	requireFault(t, fault.NotFound, err)
	check, err := s.ClaimUnconfirmedCardCheck(t.Context(), noon.Add(-time.Microsecond), time.Minute)
	require.NoError(t, err)
	require.Equal(t, orgID, check.OrganisationID)
}
