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
var october12 = date(2026, 10, 12)

func TestChangePlan_PeriodStartsAtTheRequestIfThePaymentIsLate(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	s := subscribe(t, e.Provider, customerID, "standard_monthly", 0)
	addCard(t, e.Provider, customerID, cardDeclinedWhenCharged)
	requestedAt := e.clock.Now()
	pendingSub := changePlan(t, e.Provider, s, "professional_yearly")
	require.NotNil(t, pendingSub.Pending)
	addCard(t, e.Provider, customerID, visa)
	e.advance(t, 20*time.Hour)

	changedSub, err := e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: newKey(), InvoiceID: pendingSub.Pending.InvoiceID, Amount: pendingSub.Pending.Amount,
	})

	require.NoError(t, err)
	assert.Equal(t, 81600-3900, latestPaymentAmount(t, e.Provider, changedSub), "at the time of the request, the whole month was unused")
	assert.Equal(t, requestedAt.AddDate(1, 0, 0), changedSub.CurrentPeriodEnd)
}

func TestChangePlan_ProratesAtTheTimeOfTheRequest(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	e.advanceTo(t, october12.Add(time.Hour))
	req := payment.PriceChange{Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice("professional_yearly"), At: october12}

	changedSub, err := e.ChangePlan(t.Context(), req)

	require.NoError(t, err)
	assert.Equal(t, 31299-16110, latestPaymentAmount(t, e.Provider, changedSub))
	req.Key, req.From, req.To, req.At = newKey(), req.To, req.From, s.CreatedAt.Add(-time.Hour)
	_, err = e.ChangePlan(t.Context(), req)
	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "a time before the period is refused")
}

func TestChangePlan_EndingTrialCancelsAuthentication(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 7)
	secret := s.PendingSetup.ClientSecret

	s = changePlan(t, e.Provider, s, "professional_yearly")
	assert.NotNil(t, s.PendingSetup, "the trial continues until the change is paid")
	assert.Equal(t, billing.RequiresAction, s.LatestInvoice.Payment.Status)
	e.confirm(t, s.LatestInvoice.Payment.ClientSecret, true)
	s = getSubscription(t, e.Provider, s.ID)

	assert.Nil(t, s.PendingSetup)
	assert.Equal(t, billing.Active, s.Status)
	_, body := sendRequest(t, e.Provider, "GET", "/intents/"+secret, "")
	assert.Equal(t, "canceled", body["status"])
}
