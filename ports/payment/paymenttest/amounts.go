package paymenttest

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var amountBehaviours = []behaviour{
	{name: "a subscription has the amounts of its price", check: func(t *env) {
		price := t.priceOf(standard)
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			t.assertAmounts(s, price, price)
			t.assertAmounts(t.readSubscription(s.ID, s.Status), price, price)
		}
	}},
	{name: "a subscription in another currency has amounts in that currency", check: func(t *env) {
		price := t.priceOf(standardUSD)
		s, err := t.trySubscribe(t.payingCustomer().ID, standardUSD)
		require.NoError(t, err)
		assert.Equal(t, "USD", price.Currency().Code)
		t.assertAmounts(s, price, price)
	}},
	{name: "a changed subscription has the amounts of the new price", check: func(t *env) {
		price := t.priceOf(professional)
		t.assertAmounts(t.mustChangePlan(t.subscribe(t.payingCustomer().ID, 0), professional), price, price)
	}},
	{name: "a pending change does not change the amounts", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithPendingChange()
		price := t.priceOf(s.Price)
		t.assertAmounts(s, price, price)
	}},
	{name: "the renewal has the amount of a scheduled change", needs: payment.AtPeriodEnd, check: func(t *env) {
		oldPrice, newPrice := t.priceOf(standard), t.priceOf(professional)
		s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, 0), professional)
		assert.Equal(t, newPrice, s.Scheduled.Amount)
		t.assertAmounts(s, oldPrice, newPrice)
		t.assertAmounts(t.cancelScheduledChange(s), oldPrice, oldPrice)
	}},
	{name: "a subscription keeps its price when prices are raised", needs: ClockControl, check: func(t *env) {
		var subs []billing.Subscription
		for _, days := range t.trialLengths() {
			subs = append(subs, t.subscribe(t.payingCustomer().ID, days))
		}
		price := subs[0].Amount

		assert.NotEqual(t, price, t.raisePrices(), "new customers pay the new price")

		for _, s := range slices.Backward(subs) { // the trial comes first, because it ends before the period
			t.assertAmounts(t.readSubscription(s.ID, s.Status), price, price)
			renewedSub := t.renew(s)
			t.assertAmounts(renewedSub, price, price)
			assert.Equal(t, price, t.invoice(s.CustomerID, renewedSub.LatestInvoice.ID).Total)
		}
	}},
	{name: "a scheduled change keeps its price when prices are raised", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.completePayment(t.startSubscription(t.payingCustomer().ID, professionalMonthly, 0))
		s = t.mustScheduleChange(s, standard)
		price := s.Scheduled.Amount
		t.raisePrices()
		s = t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, price, s.Scheduled.Amount)
		assert.Equal(t, price, s.Renewal)
		t.assertAmounts(t.renew(s), price, price)
	}},
}

// assertAmounts asserts the current amount and the renewal amount of the subscription.
func (t *env) assertAmounts(s billing.Subscription, amount, renewal money.Amount) {
	t.Helper()
	assert.Equal(t, amount, s.Amount)
	assert.Equal(t, renewal, s.Renewal)
}

// raisePrices raises the price of the standard plan and returns it.
func (t *env) raisePrices() money.Amount {
	t.Helper()
	if t.RaisePrices == nil {
		t.Skip("the harness can't raise prices")
	}
	t.Provider = t.RaisePrices(t.T)
	return t.priceOf(standard)
}
