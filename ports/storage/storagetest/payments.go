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
	orgID, otherOrgID := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "other").Organisation.ID
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
	orgID := storeSignUp(t, s, "ada").Organisation.ID
	errRefused := fault.New(fault.RateLimited, "too often")

	err := s.BeginPaymentAttempt(t.Context(), newPaymentAttempt("refused", orgID, "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return errRefused })

	require.Same(t, errRefused, err)
	nextAttempt := newPaymentAttempt("next", orgID, "in_1", "card", noon)
	require.Empty(t, beginAttempt(t, s, nextAttempt), "a refused attempt is not stored")
}

func testRepeatedPaymentAttempt(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := storeSignUp(t, s, "ada").Organisation.ID
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
	orgID := storeSignUp(t, s, "ada").Organisation.ID
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
	orgID := storeSignUp(t, s, "ada").Organisation.ID
	beginAttempt(t, s, newPaymentAttempt("older", orgID, "in_1", "card", noon.Add(-time.Microsecond)))
	newerAttempt := newPaymentAttempt("newer", orgID, "in_1", "card", noon)
	beginAttempt(t, s, newerAttempt)

	require.NoError(t, s.SweepPaymentAttempts(t.Context(), noon))

	require.Equal(t, []billing.PaymentAttempt{newerAttempt},
		beginAttempt(t, s, newPaymentAttempt("next", orgID, "in_1", "card", noon)))
}

func testConcurrentPaymentAttempts(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := storeSignUp(t, s, "ada").Organisation.ID
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
