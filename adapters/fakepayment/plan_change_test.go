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

func TestChangePlan_UpgradeChargesProratedDifference(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	e.advanceTo(t, inOctober)

	s = changePlan(t, e.Provider, s, "professional_yearly")

	assert.Equal(t, 31299-16110, amountBilled(t, e.Provider, s), "140/365 of 816.00, less as much of 420.00")
	e.advanceTo(t, at(2027, 3, 1))
	assert.Equal(t, 81600, amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
}

func TestChangePlan_DowngradeBecomesCredit(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "professional_yearly", 0)
	e.advanceTo(t, inOctober)

	s = changePlan(t, e.Provider, s, "standard_yearly")

	assert.Equal(t, billing.Active, s.Status)
	assert.Zero(t, amountBilled(t, e.Provider, s))
	e.advanceTo(t, at(2027, 3, 1))
	assert.Equal(t, 42000-(31299-16110), amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
	e.advanceTo(t, at(2028, 3, 1))
	assert.Equal(t, 42000, amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
}

func TestChangePlan_OtherIntervalStartsNewPeriod(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	e.advanceTo(t, inOctober)

	s = changePlan(t, e.Provider, s, "professional_monthly")

	assert.Equal(t, at(2026, 11, 12), s.CurrentPeriodEnd)
	assert.Zero(t, amountBilled(t, e.Provider, s), "76.00 is less than the 161.10 not used")
	e.advanceTo(t, at(2026, 11, 12))
	assert.Zero(t, amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
	e.advanceTo(t, at(2026, 12, 12))
	assert.Equal(t, 3*7600-16110, amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
}

func TestChangePlan_EndingTrialChargesFullPeriod(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 7)
	e.advanceTo(t, at(2026, 3, 4))

	s = changePlan(t, e.Provider, s, "professional_yearly")

	assert.Equal(t, 81600, amountBilled(t, e.Provider, s))
	assert.Equal(t, at(2026, 3, 4), s.TrialEnd)
	assert.Equal(t, at(2027, 3, 4), s.CurrentPeriodEnd)
}

func TestChangePlan_LatePaymentCountsFromTheRequest(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	s := subscribe(t, e.Provider, customerID, "standard_monthly", 0)
	addCard(t, e.Provider, customerID, declinedCharge)
	requested := e.clock.Now()
	pending := changePlan(t, e.Provider, s, "professional_yearly")
	require.NotNil(t, pending.Pending)
	addCard(t, e.Provider, customerID, visa)
	e.advance(t, 20*time.Hour)

	after, err := e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: newKey(), InvoiceID: pending.Pending.InvoiceID, Amount: pending.Pending.Amount,
	})

	require.NoError(t, err)
	assert.Equal(t, 81600-3900, amountBilled(t, e.Provider, after), "nothing of the month was used when it was requested")
	assert.Equal(t, requested.AddDate(1, 0, 0), after.CurrentPeriodEnd)
}

func TestChangePlan_CalculatesForTheGivenInstant(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	e.advanceTo(t, inOctober.Add(time.Hour))
	in := payment.PlanChange{Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice("professional_yearly"), At: inOctober}

	after, err := e.ChangePlan(t.Context(), in)

	require.NoError(t, err)
	assert.Equal(t, 31299-16110, amountBilled(t, e.Provider, after))
	in.Key, in.From, in.To, in.At = newKey(), in.To, in.From, s.CreatedAt.Add(-time.Hour)
	_, err = e.ChangePlan(t.Context(), in)
	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "an instant before the period")
}

func TestChangePlan_EndingTrialCancelsAuthentication(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, authCard), "standard_yearly", 7)
	secret := s.PendingSetup.ClientSecret

	s = changePlan(t, e.Provider, s, "professional_yearly")
	assert.NotNil(t, s.PendingSetup, "the trial goes on until the change is paid")
	assert.Equal(t, billing.RequiresAction, s.LatestInvoice.Payment.Status)
	e.confirm(t, s.LatestInvoice.Payment.ClientSecret, true)
	s = getSubscription(t, e.Provider, s.ID)

	assert.Nil(t, s.PendingSetup)
	assert.Equal(t, billing.Active, s.Status)
	_, body := request(t, e.Provider, "GET", "/intents/"+secret, "")
	assert.Equal(t, "canceled", body["status"])
}

func TestChangePlan_AtRenewal(t *testing.T) {
	for name, tt := range map[string]struct {
		trialDays int
		renewal   time.Time
	}{
		"after a year":  {0, at(2027, 3, 1)},
		"after a trial": {7, at(2026, 3, 8)},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "professional_yearly", tt.trialDays)
			monthly := payment.PlanChange{Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice("standard_monthly"), When: payment.AtRenewal}

			scheduled, err := e.ChangePlan(t.Context(), monthly)

			require.NoError(t, err)
			assert.Equal(t, &billing.ScheduledChange{To: monthly.To, At: tt.renewal}, scheduled.Scheduled)
			assert.Equal(t, s.LatestInvoice, scheduled.LatestInvoice, "nothing is billed now")
			assert.Equal(t, s.Price, scheduled.Price)
			e.advanceTo(t, tt.renewal)
			renewed := getSubscription(t, e.Provider, s.ID)
			assert.Equal(t, monthly.To, renewed.Price)
			assert.Nil(t, renewed.Scheduled)
			assert.Equal(t, 3900, amountBilled(t, e.Provider, renewed))
			assert.Equal(t, tt.renewal.AddDate(0, 1, 0), renewed.CurrentPeriodEnd)
		})
	}
}

func TestCancelScheduledChange(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "professional_yearly", 0)
	_, err := e.ChangePlan(t.Context(), payment.PlanChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice("standard_monthly"), When: payment.AtRenewal,
	})
	require.NoError(t, err)

	after, err := e.CancelScheduledChange(t.Context(), payment.ScheduleCancellation{Key: newKey(), SubscriptionID: s.ID})

	require.NoError(t, err)
	assert.Nil(t, after.Scheduled)
	e.advanceTo(t, at(2027, 3, 1))
	assert.Equal(t, 81600, amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
}

func TestSetEndAtPeriodEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		trialDays int
		end       time.Time
		charged   int
	}{
		"active":   {0, at(2026, 4, 1), 3900},
		"trialing": {7, at(2026, 3, 8), 0},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_monthly", tt.trialDays)

			ending, err := e.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: true})

			require.NoError(t, err)
			assert.Equal(t, tt.end, ending.EndsAt)
			e.advanceTo(t, tt.end)
			ended := getSubscription(t, e.Provider, s.ID)
			assert.Equal(t, billing.Canceled, ended.Status)
			assert.Equal(t, s.LatestInvoice.ID, ended.LatestInvoice.ID)
			assert.Equal(t, tt.charged, amountBilled(t, e.Provider, ended))
		})
	}
}

func TestSetEndAtPeriodEnd_ResumedRenews(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_monthly", 0)
	for _, end := range []bool{true, false} {
		after, err := e.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: end})
		require.NoError(t, err)
		assert.Equal(t, end, !after.EndsAt.IsZero())
	}

	e.advanceTo(t, at(2026, 4, 1))

	assert.Equal(t, at(2026, 5, 1), getSubscription(t, e.Provider, s.ID).CurrentPeriodEnd)
}
