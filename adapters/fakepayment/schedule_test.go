package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestRenewal_MonthlyPlanFromTheLastDayRenewsAtMonthEnds(t *testing.T) {
	e := newEnv(t)
	e.advanceTo(t, date(2027, 1, 31))
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_monthly", 0)
	for _, end := range []time.Time{date(2027, 2, 28), date(2027, 3, 31), date(2027, 4, 30), date(2027, 5, 31)} {
		assert.Equal(t, end, s.CurrentPeriodEnd)
		e.advanceTo(t, end.Add(-time.Second))
		require.Equal(t, s, getSubscription(t, e.Provider, s.ID), "nothing changes until the renewal")
		e.advanceTo(t, end)
		renewedSub := getSubscription(t, e.Provider, s.ID)
		assert.NotEqual(t, s.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
		assert.Equal(t, 3900, latestPaymentAmount(t, e.Provider, renewedSub))
		s = renewedSub
	}
}

func TestRenewal_LongAdvanceProcessesEveryPeriodInOrder(t *testing.T) {
	e := newEnv(t)
	monthlySub := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_monthly", 0)
	yearlySub := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 7)
	unpaidSub := subscribe(t, e.Provider, newCustomer(t, e.Provider, cardDeclinedWhenCharged), "standard_monthly", 7)

	e.advanceTo(t, date(2028, 3, 15))

	assert.Equal(t, date(2028, 4, 1), getSubscription(t, e.Provider, monthlySub.ID).CurrentPeriodEnd)
	assert.Equal(t, date(2029, 3, 8), getSubscription(t, e.Provider, yearlySub.ID).CurrentPeriodEnd)
	assert.Equal(t, billing.Canceled, getSubscription(t, e.Provider, unpaidSub.ID).Status)

	events := e.events(t)
	paidCount := 0
	for i, event := range events {
		if i > 0 {
			assert.False(t, event.CreatedAt.Before(events[i-1].CreatedAt), "events are in the order of the changes")
		}
		if event.Type == "invoice.paid" && event.SubscriptionID == monthlySub.ID {
			assert.Equal(t, date(2026, 3, 1).AddDate(0, paidCount, 0), event.CreatedAt)
			paidCount++
		}
	}
	assert.Equal(t, 25, paidCount)
}

func TestRenewal_ExpiredCardIsDeclined(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	e.advanceTo(t, date(2034, 3, 2))
	require.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status, "the card is valid until 12/34")
	e.advanceTo(t, date(2035, 3, 2))
	s = getSubscription(t, e.Provider, s.ID)
	assert.Equal(t, billing.PastDue, s.Status)
	_, body := sendRequest(t, e.Provider, "GET", "/intents/"+s.LatestInvoice.Payment.ClientSecret, "")
	assert.Equal(t, "Your card has expired.", body["last_payment_error"].(map[string]any)["message"])
}

func TestRetries_AreMadeAfter3And8And15DaysThenThePlanEnds(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, cardDeclinedWhenCharged), "standard_yearly", 7)

	e.advanceTo(t, date(2026, 12, 1))

	assert.Equal(t, billing.Canceled, getSubscription(t, e.Provider, s.ID).Status)
	var attempts []time.Time
	for _, event := range e.events(t) {
		if event.Type == "invoice.payment_failed" && event.SubscriptionID == s.ID {
			attempts = append(attempts, event.CreatedAt)
		}
	}
	trialEnd := date(2026, 3, 8)
	assert.Equal(t, []time.Time{trialEnd, trialEnd.AddDate(0, 0, 3), trialEnd.AddDate(0, 0, 8), trialEnd.AddDate(0, 0, 15)}, attempts)
}

func TestConfirm_PaymentReactivatesAnUnpaidSubscription(t *testing.T) {
	e := newEnv(t, func(c *fakepayment.Config) { c.StatusAfterRetries = billing.Unpaid })
	customerID := newCustomer(t, e.Provider, cardDeclinedWhenCharged)
	s := subscribe(t, e.Provider, customerID, "standard_monthly", 7)
	e.advanceTo(t, date(2026, 12, 1))
	s = getSubscription(t, e.Provider, s.ID)
	addCard(t, e.Provider, customerID, visa)

	_, body := sendRequest(t, e.Provider, "POST", "/intents/"+s.LatestInvoice.Payment.ClientSecret+"/confirm", "{}")

	assert.Equal(t, "succeeded", body["status"])
	paidSub := getSubscription(t, e.Provider, s.ID)
	assert.Equal(t, billing.Active, paidSub.Status)
	assert.Equal(t, s.LatestInvoice.ID, paidSub.LatestInvoice.ID, "the months in between are not charged")
	assert.Equal(t, date(2026, 12, 8), paidSub.CurrentPeriodEnd)
}

func TestRetries_CanceledPaymentCannotBeConfirmed(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, cardDeclinedWhenCharged), "standard_yearly", 7)
	e.advanceTo(t, date(2026, 12, 1))

	s = getSubscription(t, e.Provider, s.ID)

	assert.Equal(t, billing.IntentCanceled, s.LatestInvoice.Payment.Status)
	status, body := sendRequest(t, e.Provider, "POST", "/intents/"+s.LatestInvoice.Payment.ClientSecret+"/confirm", "{}")
	assert.Equal(t, 400, status)
	assert.Equal(t, "payment_intent_unexpected_state", body["error"].(map[string]any)["code"])
}

func TestRetries_FailedManualAttemptKeepsTheSchedule(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, cardDeclinedWhenCharged)
	s := subscribe(t, e.Provider, customerID, "standard_yearly", 7)
	e.advanceTo(t, date(2026, 3, 10))
	inv := getSubscription(t, e.Provider, s.ID).LatestInvoice
	_, err := e.PayInvoice(t.Context(), payment.InvoicePayment{Key: newKey(), InvoiceID: inv.ID, Amount: inv.AmountDue})
	require.NoError(t, err)
	addCard(t, e.Provider, customerID, visa)

	e.advanceTo(t, date(2026, 3, 11).Add(-time.Second))
	require.Equal(t, billing.PastDue, getSubscription(t, e.Provider, s.ID).Status)
	e.advanceTo(t, date(2026, 3, 11))
	assert.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status)
}

func TestRetries_LatePaymentKeepsThePeriods(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, cardDeclinedWhenCharged)
	s := subscribe(t, e.Provider, customerID, "standard_monthly", 7)
	e.advanceTo(t, date(2026, 3, 20))
	addCard(t, e.Provider, customerID, visa)
	e.advanceTo(t, date(2026, 3, 24))
	require.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status)
	assert.Equal(t, date(2026, 4, 8), getSubscription(t, e.Provider, s.ID).CurrentPeriodEnd)
	e.advanceTo(t, date(2026, 4, 8))
	assert.Equal(t, date(2026, 5, 8), getSubscription(t, e.Provider, s.ID).CurrentPeriodEnd)
}
