package fakepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
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

func TestAnOpenBillGoesIntoTheNewOne(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, declining)
	s := subscribe(t, w.Provider, customerID, "standard_yearly", 7)
	w.until(t, at(2026, 3, 8))
	late := read(t, w.Provider, s.ID)
	require.Equal(t, billing.PastDue, late.Status)
	giveCard(t, w.Provider, customerID, good)

	s = changePlan(t, w.Provider, s, "professional_yearly")

	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, 81600, billed(t, w.Provider, s), "420.00 that were open, and the difference of the whole year")
	status, _ := call(t, w.Provider, "POST", "/intents/"+late.LatestInvoice.Payment.ClientSecret+"/confirm", "{}")
	assert.Equal(t, 400, status, "the old bill can't be paid as well")
}

func TestATrialsAuthenticationEndsWithTheTrial(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 7)
	secret := s.PendingSetup.ClientSecret

	s = changePlan(t, w.Provider, s, "professional_yearly")

	assert.Nil(t, s.PendingSetup)
	assert.Equal(t, billing.RequiresAction, s.LatestInvoice.Payment.Status)
	_, body := call(t, w.Provider, "GET", "/intents/"+secret, "")
	assert.Equal(t, "canceled", body["status"])
}
