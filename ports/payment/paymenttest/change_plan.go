package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var planChangeBehaviours = []behaviour{
	{name: "an upgrade changes the subscription in place", check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)

		changedSub, err := t.changePlan(s, professional)

		require.NoError(t, err)
		assert.Equal(t, s.ID, changedSub.ID)
		assert.Equal(t, professional, changedSub.Price)
		assert.Equal(t, billing.Active, changedSub.Status)
		assert.Equal(t, s.CreatedAt, changedSub.CreatedAt)
		assert.Equal(t, s.CurrentPeriodEnd, changedSub.CurrentPeriodEnd, "the same interval keeps its period")
		assert.NotEqual(t, s.LatestInvoice.ID, changedSub.LatestInvoice.ID, "the difference is invoiced immediately")
		assert.Equal(t, changedSub, t.readSubscription(s.ID, billing.Active))
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(s.CustomerID))
	}},
	{name: "a downgrade changes the subscription in place", needs: payment.CheaperChangeNow, check: func(t *env) {
		s := t.completePayment(t.startSubscription(t.payingCustomer().ID, professional, 0))
		changedSub, err := t.changePlan(s, standard)
		require.NoError(t, err)
		assert.Equal(t, s.ID, changedSub.ID)
		assert.Equal(t, standard, changedSub.Price)
		assert.Equal(t, billing.Active, changedSub.Status)
	}},
	{name: "a change to another interval begins a new period", check: func(t *env) {
		s := t.subscribeMonthly()
		changedSub, err := t.changePlan(s, standard)
		require.NoError(t, err)
		assert.Equal(t, s.ID, changedSub.ID)
		assert.WithinDuration(t, t.Now().AddDate(1, 0, 0), changedSub.CurrentPeriodEnd, maxPeriodDelay)
	}},
	{name: "a change during a trial ends the trial and charges", check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		start := t.Now()

		changedSub, err := t.changePlan(s, professional)

		require.NoError(t, err)
		assert.Equal(t, s.ID, changedSub.ID)
		assert.Equal(t, billing.Active, changedSub.Status)
		assert.Equal(t, professional, changedSub.Price)
		assert.WithinDuration(t, start, changedSub.TrialEnd, time.Minute, "the trial has ended")
		assert.WithinDuration(t, t.Now().AddDate(1, 0, 0), changedSub.CurrentPeriodEnd, maxPeriodDelay)
		t.assertPaid(changedSub)
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(s.CustomerID))
	}},
	{name: "a change to another currency is Invalid", check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		_, err := t.changePlan(s, standardUSD)
		t.assertFault(err, fault.Invalid)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a change to an unknown price is refused", check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		_, err := t.changePlan(s, price("no-such-plan", catalogue.Yearly))
		t.assertFault(err, fault.Invalid, fault.NotFound)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a change returns Conflict unless From is the price of the subscription", needs: payment.ChangeNow,
		check: func(t *env) {
			s := t.subscribe(t.payingCustomer().ID, 0)
			req := planChange(s, standardMonthly)
			req.From = professional
			_, err := t.Provider.ChangePlan(t.Context(), req)
			t.assertFault(err, fault.Conflict)
			assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
		}},
	{name: "a change returns Conflict unless EndTrial matches the subscription", needs: payment.ChangeNow, check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			req := planChange(s, professional)
			req.EndTrial = !req.EndTrial
			_, err := t.Provider.ChangePlan(t.Context(), req)
			t.assertFault(err, fault.Conflict)
			assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
		}
	}},
	{name: "a subscription has the keys of the requests that started and changed it", needs: payment.ChangeNow,
		check: func(t *env) {
			req := payment.NewSubscription{Key: newKey(), CustomerID: t.payingCustomer().ID, Price: standard}
			s, err := t.Provider.Subscribe(t.Context(), req)
			require.NoError(t, err)
			s = t.completePayment(s)
			assert.Equal(t, req.Key, s.StartKey)
			assert.Empty(t, s.ChangeKey)
			change := planChange(s, professional)
			s, err = t.Provider.ChangePlan(t.Context(), change)
			require.NoError(t, err)
			assert.Equal(t, req.Key, s.StartKey)
			assert.Equal(t, change.Key, s.ChangeKey)
		}},
	{name: "a downgrade leaves credit for the unused part", needs: ClockControl, check: func(t *env) {
		t.skipWithout(payment.CheaperChangeNow)
		s := t.completePayment(t.startSubscription(t.payingCustomer().ID, professional, 0))
		paidAmount := s.LatestInvoice.AmountDue
		s = t.mustChangePlan(s, standard)

		assert.Zero(t, s.LatestInvoice.AmountDue.Minor(), "nothing is due")
		t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
		renewalAmount := t.readSubscription(s.ID, billing.Active).LatestInvoice.AmountDue
		assert.Less(t, renewalAmount.Minor(), paidAmount.Minor())
		assert.GreaterOrEqual(t, renewalAmount.Minor(), int64(0))
	}},
}

// planChange returns a request to change the plan now.
func planChange(s billing.Subscription, to catalogue.PriceRef) payment.PriceChange {
	return payment.PriceChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: to, EndTrial: s.Status == billing.Trialing,
	}
}

// changePlan changes the plan now and completes the payment.
func (t *env) changePlan(s billing.Subscription, to catalogue.PriceRef) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	return t.sendChange(planChange(s, to))
}

// sendChange sends the change and completes its payment.
func (t *env) sendChange(req payment.PriceChange) (billing.Subscription, error) {
	t.Helper()
	changedSub, err := t.Provider.ChangePlan(t.Context(), req)
	if err != nil || t.methodIDForRequest(changedSub.CustomerID) != "" {
		return changedSub, err
	}
	return t.completePayment(changedSub), nil
}

// mustChangePlan changes the plan and requires the change to take effect immediately.
func (t *env) mustChangePlan(s billing.Subscription, to catalogue.PriceRef) billing.Subscription {
	t.Helper()
	changedSub, err := t.changePlan(s, to)
	require.NoError(t, err)
	require.Nil(t, changedSub.Pending)
	require.Equal(t, to, changedSub.Price)
	return changedSub
}
