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

func paymentAttempt(key, organisationID, invoice, card string, at time.Time) billing.PaymentAttempt {
	return billing.PaymentAttempt{Key: key, OrganisationID: organisationID, InvoiceID: invoice, Card: card, At: at}
}

// begin stores the attempt and returns the earlier ones that were checked.
func begin(t *testing.T, s storage.Store, a billing.PaymentAttempt) (earlier []billing.PaymentAttempt) {
	t.Helper()
	require.NoError(t, s.BeginPaymentAttempt(t.Context(), a, func(found []billing.PaymentAttempt) error {
		earlier = found
		return nil
	}))
	return earlier
}

func paymentAttemptsAreListed(t *testing.T, h Harness) {
	s := h.Open(t)
	org, other := signedUp(t, s, "ada").Organisation.ID, signedUp(t, s, "other").Organisation.ID
	var want []billing.PaymentAttempt
	for i, at := range uneven() {
		a := paymentAttempt(strconv.Itoa(i), org, "in_1", "card", at)
		a.HardDecline = i%2 == 1
		require.Equal(t, want, append([]billing.PaymentAttempt(nil), begin(t, s, a)...))
		want = append(want, a)
	}
	require.Empty(t, begin(t, s, paymentAttempt("other invoice", org, "in_2", "card", noon)))
	require.Empty(t, begin(t, s, paymentAttempt("other card", org, "in_1", "other", noon)))
	require.Empty(t, begin(t, s, paymentAttempt("other organisation", other, "in_1", "card", noon)))

	err := s.BeginPaymentAttempt(t.Context(), paymentAttempt("nobody's", "nobody", "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return nil })
	requireFault(t, fault.NotFound, err)
}

func paymentAttemptIsRefused(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signedUp(t, s, "ada").Organisation.ID
	refusal := fault.New(fault.RateLimited, "too often")

	err := s.BeginPaymentAttempt(t.Context(), paymentAttempt("refused", org, "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return refusal })

	require.Same(t, refusal, err)
	require.Empty(t, begin(t, s, paymentAttempt("next", org, "in_1", "card", noon)), "a refused attempt is not stored")
}

func paymentAttemptIsCountedOnce(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signedUp(t, s, "ada").Organisation.ID
	first := paymentAttempt("first", org, "in_1", "card", noon)
	begin(t, s, first)

	repeat := first
	repeat.At = noon.Add(time.Minute)
	require.NoError(t, s.BeginPaymentAttempt(t.Context(), repeat, func([]billing.PaymentAttempt) error {
		return fault.New(fault.RateLimited, "a repeat is not checked")
	}))

	require.Equal(t, []billing.PaymentAttempt{first}, begin(t, s, paymentAttempt("second", org, "in_1", "card", noon.Add(time.Hour))))
}

func hardDeclineIsRecorded(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signedUp(t, s, "ada").Organisation.ID
	first := paymentAttempt("first", org, "in_1", "card", noon)
	begin(t, s, first)

	require.NoError(t, s.RecordHardDecline(t.Context(), "first"))
	require.NoError(t, s.RecordHardDecline(t.Context(), "unknown"))

	first.HardDecline = true
	require.Equal(t, []billing.PaymentAttempt{first}, begin(t, s, paymentAttempt("second", org, "in_1", "card", noon)))
}

func paymentAttemptsAreSwept(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signedUp(t, s, "ada").Organisation.ID
	begin(t, s, paymentAttempt("older", org, "in_1", "card", noon.Add(-time.Microsecond)))
	kept := paymentAttempt("kept", org, "in_1", "card", noon)
	begin(t, s, kept)

	require.NoError(t, s.SweepPaymentAttempts(t.Context(), noon))

	require.Equal(t, []billing.PaymentAttempt{kept}, begin(t, s, paymentAttempt("next", org, "in_1", "card", noon)))
}

// paymentAttemptRace has everybody try at once; no more than the limit may begin.
func paymentAttemptRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	org := signedUp(t, s, "ada").Organisation.ID
	var begun atomic.Int64
	race(func(worker int) {
		err := doors[worker%len(doors)].BeginPaymentAttempt(t.Context(),
			paymentAttempt(strconv.Itoa(worker), org, "in_1", "card", noon),
			func(earlier []billing.PaymentAttempt) error { return billing.CheckPaymentAttempt(earlier, noon) })
		if err == nil {
			begun.Add(1)
			return
		}
		assert.Equal(t, fault.RateLimited, fault.CodeOf(err))
	})
	require.EqualValues(t, billing.MaxPaymentAttempts, begun.Load())
}
