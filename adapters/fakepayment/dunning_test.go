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

func TestALatePaymentIsTriedAgainOnItsDays(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, declining), "standard_yearly", 7)

	w.until(t, at(2026, 12, 1))

	assert.Equal(t, billing.Canceled, read(t, w.Provider, s.ID).Status)
	var tries []time.Time
	for _, e := range w.told(t) {
		if e.Type == "invoice.payment_failed" && e.SubscriptionID == s.ID {
			tries = append(tries, e.CreatedAt)
		}
	}
	end := at(2026, 3, 8)
	assert.Equal(t, []time.Time{end, end.AddDate(0, 0, 3), end.AddDate(0, 0, 8), end.AddDate(0, 0, 15)}, tries)
}

func TestALatePaymentMayEndUnpaid(t *testing.T) {
	w := newWorld(t, func(c *fakepayment.Config) { c.AfterRetries = billing.Unpaid })
	s := subscribe(t, w.Provider, payer(t, w.Provider, declining), "standard_yearly", 7)

	w.until(t, at(2026, 12, 1))

	s = read(t, w.Provider, s.ID)
	assert.Equal(t, billing.Unpaid, s.Status)
	assert.Equal(t, billing.RequiresPaymentMethod, s.LatestInvoice.Payment.Status)
}

func TestWhatWasLeftUnpaidCanBeTakenUpAgainInTheBrowser(t *testing.T) {
	w := newWorld(t, func(c *fakepayment.Config) { c.AfterRetries = billing.Unpaid })
	customerID := payer(t, w.Provider, declining)
	s := subscribe(t, w.Provider, customerID, "standard_monthly", 7)
	w.until(t, at(2026, 12, 1))
	s = read(t, w.Provider, s.ID)
	giveCard(t, w.Provider, customerID, good)

	_, body := call(t, w.Provider, "POST", "/intents/"+s.LatestInvoice.Payment.ClientSecret+"/confirm", "{}")

	assert.Equal(t, "succeeded", body["status"])
	after := read(t, w.Provider, s.ID)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, s.LatestInvoice.ID, after.LatestInvoice.ID, "the months in between are not charged")
	assert.Equal(t, at(2026, 12, 8), after.CurrentPeriodEnd)
}

func TestWhatIsGivenUpCannotBePaidAnyMore(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, declining), "standard_yearly", 7)
	w.until(t, at(2026, 12, 1))

	s = read(t, w.Provider, s.ID)

	assert.Equal(t, billing.IntentCanceled, s.LatestInvoice.Payment.Status)
	status, body := call(t, w.Provider, "POST", "/intents/"+s.LatestInvoice.Payment.ClientSecret+"/confirm", "{}")
	assert.Equal(t, 400, status)
	assert.Equal(t, "payment_intent_unexpected_state", body["error"].(map[string]any)["code"])
}

func TestATryByHandKeepsTheNextRetry(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, declining)
	s := subscribe(t, w.Provider, customerID, "standard_yearly", 7)
	w.until(t, at(2026, 3, 10))
	late := read(t, w.Provider, s.ID).LatestInvoice
	_, err := w.PayInvoice(t.Context(), payment.InvoicePayment{Key: newKey(), InvoiceID: late.ID, Amount: late.AmountDue})
	require.NoError(t, err)
	giveCard(t, w.Provider, customerID, good)

	w.until(t, at(2026, 3, 11).Add(-time.Second))
	require.Equal(t, billing.PastDue, read(t, w.Provider, s.ID).Status)
	w.until(t, at(2026, 3, 11))
	assert.Equal(t, billing.Active, read(t, w.Provider, s.ID).Status)
}

func TestWhatIsPaidLateIsRenewedInItsTime(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, declining)
	s := subscribe(t, w.Provider, customerID, "standard_monthly", 7)
	w.until(t, at(2026, 3, 20))
	giveCard(t, w.Provider, customerID, good)
	w.until(t, at(2026, 3, 24))
	require.Equal(t, billing.Active, read(t, w.Provider, s.ID).Status)
	assert.Equal(t, at(2026, 4, 8), read(t, w.Provider, s.ID).CurrentPeriodEnd)
	w.until(t, at(2026, 4, 8))
	assert.Equal(t, at(2026, 5, 8), read(t, w.Provider, s.ID).CurrentPeriodEnd)
}
