package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func at(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
}

func TestMonthsAreRenewedOverTheirEnds(t *testing.T) {
	w := newWorld(t)
	w.until(t, at(2027, 1, 31))
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_monthly", 0)
	for _, end := range []time.Time{at(2027, 2, 28), at(2027, 3, 31), at(2027, 4, 30), at(2027, 5, 31)} {
		assert.Equal(t, end, s.CurrentPeriodEnd)
		w.until(t, end.Add(-time.Second))
		require.Equal(t, s, read(t, w.Provider, s.ID), "not a second early")
		w.until(t, end)
		after := read(t, w.Provider, s.ID)
		assert.NotEqual(t, s.LatestInvoice.ID, after.LatestInvoice.ID)
		assert.Equal(t, 3900, billed(t, w.Provider, after))
		s = after
	}
}

func TestALeapDaysYears(t *testing.T) {
	w := newWorld(t)
	w.until(t, at(2028, 2, 29))
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 0)
	for _, end := range []time.Time{at(2029, 2, 28), at(2030, 2, 28), at(2031, 2, 28), at(2032, 2, 29)} {
		assert.Equal(t, end, s.CurrentPeriodEnd)
		w.until(t, end)
		s = read(t, w.Provider, s.ID)
	}
}

func TestTheFirstPaidPeriodBeginsWhenTheTrialEnds(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "professional_monthly", 7)
	w.until(t, at(2026, 3, 8))
	s = read(t, w.Provider, s.ID)
	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, 7600, billed(t, w.Provider, s))
	assert.Equal(t, at(2026, 4, 8), s.CurrentPeriodEnd)
}

func TestALongWayIsGoneStepByStep(t *testing.T) {
	w := newWorld(t)
	monthly := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_monthly", 0)
	yearly := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 7)
	unpaid := subscribe(t, w.Provider, payer(t, w.Provider, declining), "standard_monthly", 7)

	w.until(t, at(2028, 3, 15))

	assert.Equal(t, at(2028, 4, 1), read(t, w.Provider, monthly.ID).CurrentPeriodEnd)
	assert.Equal(t, at(2029, 3, 8), read(t, w.Provider, yearly.ID).CurrentPeriodEnd)
	assert.Equal(t, billing.Canceled, read(t, w.Provider, unpaid.ID).Status)

	events := w.told(t)
	paid := 0
	for i, e := range events {
		if i > 0 {
			assert.False(t, e.CreatedAt.Before(events[i-1].CreatedAt), "in the order in which things happened")
		}
		if e.Type == "invoice.paid" && e.SubscriptionID == monthly.ID {
			assert.Equal(t, at(2026, 3, 1).AddDate(0, paid, 0), e.CreatedAt)
			paid++
		}
	}
	assert.Equal(t, 25, paid)
}

func TestASavedCardExpires(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, good), "standard_yearly", 0)
	w.until(t, at(2034, 3, 2))
	require.Equal(t, billing.Active, read(t, w.Provider, s.ID).Status, "12/34 is still to come")
	w.until(t, at(2035, 3, 2))
	s = read(t, w.Provider, s.ID)
	assert.Equal(t, billing.PastDue, s.Status)
	_, body := call(t, w.Provider, "GET", "/intents/"+s.LatestInvoice.Payment.ClientSecret, "")
	assert.Equal(t, "Your card has expired.", body["last_payment_error"].(map[string]any)["message"])
}
