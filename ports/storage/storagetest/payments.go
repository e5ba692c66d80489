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
	{"BeginPaymentAttempt passes the earlier attempts to check", testEarlierPaymentAttempts},
	{"BeginPaymentAttempt stores nothing when check fails", testRefusedPaymentAttempt},
	{"BeginPaymentAttempt stores a repeated key once", testRepeatedPaymentAttempt},
	{"RecordHardDecline marks one attempt", testRecordHardDecline},
	{"SweepPaymentAttempts deletes older attempts", testSweepPaymentAttempts},
	{"concurrent payment attempts do not exceed the limit", testConcurrentPaymentAttempts},
	{"SaveNewCard keeps the first record of a payment method", testSaveNewCard},
	{"DeleteNewCard deletes one record and can be repeated", testDeleteNewCard},
	{"ClaimNewCardCheck postpones all records of an organisation", testClaimNewCards},
}

func paymentAttempt(key, organisationID, invoice, card string, at time.Time) billing.PaymentAttempt {
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
	org, otherOrg := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	var want []billing.PaymentAttempt
	for i, at := range fractionalTimes() {
		a := paymentAttempt(strconv.Itoa(i), org, "in_1", "card", at)
		a.HardDecline = i%2 == 1
		require.Equal(t, want, append([]billing.PaymentAttempt(nil), beginAttempt(t, s, a)...))
		want = append(want, a)
	}
	require.Empty(t, beginAttempt(t, s, paymentAttempt("other invoice", org, "in_2", "card", noon)))
	require.Empty(t, beginAttempt(t, s, paymentAttempt("other card", org, "in_1", "other", noon)))
	require.Empty(t, beginAttempt(t, s, paymentAttempt("other organisation", otherOrg, "in_1", "card", noon)))

	err := s.BeginPaymentAttempt(t.Context(), paymentAttempt("orphan", "unknown", "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return nil })
	requireFault(t, fault.NotFound, err)
}

func testRefusedPaymentAttempt(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signUp(t, s, "ada").Organisation.ID
	errRefused := fault.New(fault.RateLimited, "too often")

	err := s.BeginPaymentAttempt(t.Context(), paymentAttempt("refused", org, "in_1", "card", noon),
		func([]billing.PaymentAttempt) error { return errRefused })

	require.Same(t, errRefused, err)
	require.Empty(t, beginAttempt(t, s, paymentAttempt("next", org, "in_1", "card", noon)), "a refused attempt is not stored")
}

func testRepeatedPaymentAttempt(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signUp(t, s, "ada").Organisation.ID
	first := paymentAttempt("first", org, "in_1", "card", noon)
	beginAttempt(t, s, first)

	repeat := first
	repeat.At = noon.Add(time.Minute)
	require.NoError(t, s.BeginPaymentAttempt(t.Context(), repeat, func([]billing.PaymentAttempt) error {
		return fault.New(fault.RateLimited, "a repeat is not checked")
	}))

	require.Equal(t, []billing.PaymentAttempt{first},
		beginAttempt(t, s, paymentAttempt("second", org, "in_1", "card", noon.Add(time.Hour))))
}

func testRecordHardDecline(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signUp(t, s, "ada").Organisation.ID
	first := paymentAttempt("first", org, "in_1", "card", noon)
	beginAttempt(t, s, first)

	require.NoError(t, s.RecordHardDecline(t.Context(), "first"))
	require.NoError(t, s.RecordHardDecline(t.Context(), "unknown"))

	first.HardDecline = true
	require.Equal(t, []billing.PaymentAttempt{first}, beginAttempt(t, s, paymentAttempt("second", org, "in_1", "card", noon)))
}

func testSweepPaymentAttempts(t *testing.T, h Harness) {
	s := h.Open(t)
	org := signUp(t, s, "ada").Organisation.ID
	beginAttempt(t, s, paymentAttempt("older", org, "in_1", "card", noon.Add(-time.Microsecond)))
	newer := paymentAttempt("newer", org, "in_1", "card", noon)
	beginAttempt(t, s, newer)

	require.NoError(t, s.SweepPaymentAttempts(t.Context(), noon))

	require.Equal(t, []billing.PaymentAttempt{newer}, beginAttempt(t, s, paymentAttempt("next", org, "in_1", "card", noon)))
}

func testConcurrentPaymentAttempts(t *testing.T, h Harness) {
	s := h.Open(t)
	servers := h.servers(t, s)
	org := signUp(t, s, "ada").Organisation.ID
	var successes atomic.Int64
	runConcurrently(func(worker int) {
		err := servers[worker%len(servers)].BeginPaymentAttempt(t.Context(),
			paymentAttempt(strconv.Itoa(worker), org, "in_1", "card", noon),
			func(earlier []billing.PaymentAttempt) error { return billing.CheckPaymentAttempt(earlier, noon) })
		if err == nil {
			successes.Add(1)
			return
		}
		assert.Equal(t, fault.RateLimited, fault.CodeOf(err))
	})
	require.EqualValues(t, billing.MaxPaymentAttempts, successes.Load())
}

func newCard(id, organisationID string, at time.Time) billing.NewCard {
	return billing.NewCard{
		ID: id, OrganisationID: organisationID, FormerDefault: "former of " + id, RecordedAt: at, CheckAt: at.Add(time.Hour),
	}
}

func saveNewCard(t *testing.T, s storage.Store, c billing.NewCard) billing.NewCard {
	t.Helper()
	require.NoError(t, s.SaveNewCard(t.Context(), c))
	return c
}

func requireNewCards(t *testing.T, s storage.Store, organisationID string, want ...billing.NewCard) {
	t.Helper()
	got, err := s.NewCards(t.Context(), organisationID)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func testSaveNewCard(t *testing.T, h Harness) {
	s := h.Open(t)
	org, otherOrg := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	requireNewCards(t, s, org)
	newer := saveNewCard(t, s, newCard("pm_2", org, noon.Add(time.Microsecond)))
	older := saveNewCard(t, s, newCard("pm_1", org, noon))
	cardWithoutFormer := newCard("pm_3", org, noon.Add(time.Minute))
	cardWithoutFormer.FormerDefault = ""
	saveNewCard(t, s, cardWithoutFormer)
	saveNewCard(t, s, newCard("pm_1", otherOrg, noon))

	repeat := newCard("pm_1", org, noon.Add(time.Hour))
	repeat.FormerDefault = "pm_1"
	saveNewCard(t, s, repeat)

	requireNewCards(t, s, org, older, newer, cardWithoutFormer)
	requireFault(t, fault.NotFound, s.SaveNewCard(t.Context(), newCard("pm_1", "unknown", noon)))
}

func testDeleteNewCard(t *testing.T, h Harness) {
	s := h.Open(t)
	org, otherOrg := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	saveNewCard(t, s, newCard("pm_1", org, noon))
	card2 := saveNewCard(t, s, newCard("pm_2", org, noon))
	otherCard := saveNewCard(t, s, newCard("pm_1", otherOrg, noon))

	require.NoError(t, s.DeleteNewCard(t.Context(), org, "pm_1"))
	require.NoError(t, s.DeleteNewCard(t.Context(), org, "pm_1"))

	requireNewCards(t, s, org, card2)
	requireNewCards(t, s, otherOrg, otherCard)
}

func testClaimNewCards(t *testing.T, h Harness) {
	s := h.Open(t)
	org, otherOrg := signUp(t, s, "ada").Organisation.ID, signUp(t, s, "other").Organisation.ID
	dueAt := noon.Add(time.Hour)
	saveNewCard(t, s, newCard("pm_1", org, noon.Add(time.Second)))
	saveNewCard(t, s, newCard("pm_2", otherOrg, noon))
	saveNewCard(t, s, newCard("pm_3", otherOrg, noon.Add(time.Millisecond)))

	_, err := s.ClaimNewCardCheck(t.Context(), dueAt.Add(-time.Microsecond), dueAt)
	requireFault(t, fault.NotFound, err)
	for _, want := range []string{otherOrg, org} {
		got, err := s.ClaimNewCardCheck(t.Context(), dueAt.Add(time.Minute), dueAt.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err = s.ClaimNewCardCheck(t.Context(), dueAt.Add(time.Hour-time.Microsecond), dueAt)
	requireFault(t, fault.NotFound, err)
	_, err = s.ClaimNewCardCheck(t.Context(), dueAt.Add(time.Hour), dueAt.Add(2*time.Hour))
	require.NoError(t, err)
}
