package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// A year from 1 March 2026 has 365 days; on 12 October, 225 days are over and 140 are left.
var inOctober = at(2026, 10, 12)

func TestMoreCostsTheDifferenceForTheRestOfThePeriod(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 0)
	w.until(t, inOctober)

	s = changePlan(t, w.Provider, s, "professional_yearly")

	assert.Equal(t, 31299-16110, billed(t, w.Provider, s), "140/365 of 816.00, less as much of 420.00")
	w.until(t, at(2027, 3, 1))
	assert.Equal(t, 81600, billed(t, w.Provider, read(t, w.Provider, s.ID)))
}

func TestLessIsMadeGoodOnTheNextInvoices(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "professional_yearly", 0)
	w.until(t, inOctober)

	s = changePlan(t, w.Provider, s, "standard_yearly")

	assert.Equal(t, billing.Active, s.Status)
	assert.Zero(t, billed(t, w.Provider, s))
	w.until(t, at(2027, 3, 1))
	assert.Equal(t, 42000-(31299-16110), billed(t, w.Provider, read(t, w.Provider, s.ID)))
	w.until(t, at(2028, 3, 1))
	assert.Equal(t, 42000, billed(t, w.Provider, read(t, w.Provider, s.ID)))
}

func TestAnotherIntervalBeginsAnewAndCountsTheRest(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 0)
	w.until(t, inOctober)

	s = changePlan(t, w.Provider, s, "professional_monthly")

	assert.Equal(t, at(2026, 11, 12), s.CurrentPeriodEnd)
	assert.Zero(t, billed(t, w.Provider, s), "76.00 is less than the 161.10 not used")
	w.until(t, at(2026, 11, 12))
	assert.Zero(t, billed(t, w.Provider, read(t, w.Provider, s.ID)))
	w.until(t, at(2026, 12, 12))
	assert.Equal(t, 3*7600-16110, billed(t, w.Provider, read(t, w.Provider, s.ID)))
}

func TestATrialThatEndsEarlyIsPaidInFull(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 7)
	w.until(t, at(2026, 3, 4))

	s = changePlan(t, w.Provider, s, "professional_yearly")

	assert.Equal(t, 81600, billed(t, w.Provider, s))
	assert.Equal(t, at(2026, 3, 4), s.TrialEnd)
	assert.Equal(t, at(2027, 3, 4), s.CurrentPeriodEnd)
}

func TestChangePlan_LatePaymentCountsFromTheRequest(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, good)
	s := subscribe(t, w.Provider, customerID, "standard_monthly", 0)
	giveCard(t, w.Provider, customerID, declining)
	requested := w.clock.Now()
	pending := changePlan(t, w.Provider, s, "professional_yearly")
	require.NotNil(t, pending.Pending)
	giveCard(t, w.Provider, customerID, good)
	w.advance(t, 20*time.Hour)

	after, err := w.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: newKey(), InvoiceID: pending.Pending.InvoiceID, Amount: pending.Pending.Amount,
	})

	require.NoError(t, err)
	assert.Equal(t, 81600-3900, billed(t, w.Provider, after), "nothing of the month was used when it was requested")
	assert.Equal(t, requested.AddDate(1, 0, 0), after.CurrentPeriodEnd)
}

func TestChangePlan_CalculatesForTheGivenInstant(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 0)
	w.until(t, inOctober.Add(time.Hour))
	in := payment.PlanChange{Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice("professional_yearly"), At: inOctober}

	after, err := w.ChangePlan(t.Context(), in)

	require.NoError(t, err)
	assert.Equal(t, 31299-16110, billed(t, w.Provider, after))
	in.Key, in.From, in.To, in.At = newKey(), in.To, in.From, s.CreatedAt.Add(-time.Hour)
	_, err = w.ChangePlan(t.Context(), in)
	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "an instant before the period")
}

func TestATrialsAuthenticationEndsWithTheTrial(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 7)
	secret := s.PendingSetup.ClientSecret

	s = changePlan(t, w.Provider, s, "professional_yearly")
	assert.NotNil(t, s.PendingSetup, "the trial goes on until the change is paid")
	assert.Equal(t, billing.RequiresAction, s.LatestInvoice.Payment.Status)
	w.confirm(t, s.LatestInvoice.Payment.ClientSecret, true)
	s = read(t, w.Provider, s.ID)

	assert.Nil(t, s.PendingSetup)
	assert.Equal(t, billing.Active, s.Status)
	_, body := call(t, w.Provider, "GET", "/intents/"+secret, "")
	assert.Equal(t, "canceled", body["status"])
}
