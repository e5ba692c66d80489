package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var renewalBehaviours = []behaviour{
	{name: "a change at renewal changes nothing now", needs: payment.AtPeriodEnd, check: func(t *env) {
		for _, to := range []catalogue.PriceRef{professional, standardMonthly} {
			s := t.subscribe(t.payingCustomer().ID, 0)

			scheduledSub := t.mustScheduleChange(s, to)

			t.assertUnchanged(s, scheduledSub)
			assert.Equal(t, s.LatestInvoice, scheduledSub.LatestInvoice)
			assert.Equal(t, &billing.ScheduledChange{To: to, Amount: t.priceOf(to), At: s.CurrentPeriodEnd}, scheduledSub.Scheduled)
			assert.Nil(t, scheduledSub.Pending)
			assert.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor())
			assert.Equal(t, scheduledSub, t.readSubscription(s.ID, billing.Active))
		}
	}},
	{name: "a change at renewal does not charge the card", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscriptionWithFailingCard()
		assert.NotNil(t, t.mustScheduleChange(s, professional).Scheduled)
	}},
	{name: "a change at renewal keeps the trial", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		scheduledSub := t.mustScheduleChange(s, professional)
		t.assertUnchanged(s, scheduledSub)
		assert.Equal(t, s.TrialEnd, scheduledSub.Scheduled.At)
		assert.Equal(t, scheduledSub, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "a second change at renewal replaces the first one", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribeMonthly()
		s = t.mustScheduleChange(s, professional)
		s = t.mustScheduleChange(s, professionalMonthly)
		renewedSub := t.renew(s)
		assert.Equal(t, professionalMonthly, renewedSub.Price)
	}},
	{name: "a change at renewal is not made after it was canceled", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribeMonthly()
		scheduledSub := t.mustScheduleChange(s, professional)

		unscheduledSub := t.cancelScheduledChange(scheduledSub)

		t.assertUnchanged(s, unscheduledSub)
		assert.Nil(t, unscheduledSub.Scheduled)
		assert.Equal(t, unscheduledSub, t.readSubscription(s.ID, billing.Active))
		assert.Equal(t, unscheduledSub, t.cancelScheduledChange(unscheduledSub), "a repeated cancellation changes nothing")
		assert.Equal(t, s.Price, t.renew(s).Price)
	}},
	{name: "a plan can be changed now after its scheduled change was canceled", needs: payment.AtPeriodEnd,
		check: func(t *env) {
			s := t.subscribe(t.payingCustomer().ID, 0)
			s = t.cancelScheduledChange(t.mustScheduleChange(s, standardMonthly))
			t.mustChangePlan(s, professional)
		}},
	{name: "canceling a subscription discards its scheduled change", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, 0), professional)
		endedSub := t.cancel(s.ID)
		assert.Equal(t, billing.Canceled, endedSub.Status)
		assert.Equal(t, standard, endedSub.Price)
		assert.Nil(t, endedSub.Scheduled)
	}},
	{name: "a refused change at renewal changes nothing", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		req := changeAtRenewal(s, standard)
		req.From = professional
		t.assertChangeRefused(s, req, fault.Conflict)
		t.assertChangeRefused(s, changeAtRenewal(s, standardUSD), fault.Invalid)
		t.assertChangeRefused(s, changeAtRenewal(s, price("no-such-plan", catalogue.Yearly)), fault.Invalid, fault.NotFound)
	}},
	{name: "a change at renewal is made at the end of the period", needs: payment.AtPeriodEnd, check: func(t *env) {
		for _, to := range []catalogue.PriceRef{professionalMonthly, professional} {
			s := t.subscribeMonthly()
			t.mustScheduleChange(s, to)

			renewedSub := t.renew(s)

			assert.Equal(t, to, renewedSub.Price)
			assert.Nil(t, renewedSub.Scheduled)
			if !renewedSub.PeriodStart.IsZero() {
				assert.Equal(t, s.CurrentPeriodEnd, renewedSub.PeriodStart)
			}
			months := map[catalogue.Interval]int{catalogue.Monthly: 1, catalogue.Yearly: 12}[to.Interval]
			assert.WithinDuration(t, s.CurrentPeriodEnd.AddDate(0, months, 0), renewedSub.CurrentPeriodEnd, 4*day)
			t.assertPaid(renewedSub)
			assert.Equal(t, t.priceOf(to), renewedSub.LatestInvoice.AmountDue, "nothing is prorated")
		}
	}},
	{name: "a change to a cheaper price at renewal leaves no credit", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.completePayment(t.startSubscription(t.payingCustomer().ID, professionalMonthly, 0))
		t.mustScheduleChange(s, standardMonthly)
		renewedSub := t.renew(s)
		assert.Equal(t, standardMonthly, renewedSub.Price)
		assert.Equal(t, t.priceOf(standardMonthly), renewedSub.LatestInvoice.AmountDue)
		assert.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor())
	}},
	{name: "a change at renewal is made at the end of the trial", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribe(t.customerWithMethod(Pays).ID, trialDays)
		t.mustScheduleChange(s, professional)
		renewedSub := t.renew(s)
		assert.Equal(t, professional, renewedSub.Price)
		assert.Nil(t, renewedSub.Scheduled)
		assert.Equal(t, s.TrialEnd, renewedSub.TrialEnd)
		assert.Equal(t, t.priceOf(professional), renewedSub.LatestInvoice.AmountDue)
		t.assertPaid(renewedSub)
	}},
	{name: "a subscription is past due when the renewal at the new price is declined", needs: payment.AtPeriodEnd,
		check: func(t *env) {
			s := t.subscribeMonthly()
			t.mustScheduleChange(s, professional)
			t.saveMethod(s.CustomerID, DeclinedWhenCharged)
			t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
			overdueSub := t.readSubscription(s.ID, billing.PastDue)
			assert.Equal(t, professional, overdueSub.Price)
			assert.Nil(t, overdueSub.Scheduled)
			assert.Equal(t, t.priceOf(professional), overdueSub.LatestInvoice.AmountDue)
		}},
}

// changeAtRenewal returns a request to change the subscription when it renews.
func changeAtRenewal(s billing.Subscription, to catalogue.PriceRef) payment.PriceChange {
	return payment.PriceChange{Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: to, When: billing.ChangeAtRenewal}
}

// mustScheduleChange changes the plan at renewal and returns the subscription.
func (t *env) mustScheduleChange(s billing.Subscription, to catalogue.PriceRef) billing.Subscription {
	t.Helper()
	t.skipWithout(payment.AtPeriodEnd)
	scheduledSub, err := t.Provider.ChangePlan(t.Context(), changeAtRenewal(s, to))
	require.NoError(t, err)
	require.NotNil(t, scheduledSub.Scheduled)
	require.Equal(t, to, scheduledSub.Scheduled.To)
	return scheduledSub
}

// assertChangeRefused asserts that a change at renewal is refused and changes nothing.
func (t *env) assertChangeRefused(s billing.Subscription, req payment.PriceChange, codes ...fault.Code) {
	t.Helper()
	_, err := t.Provider.ChangePlan(t.Context(), req)
	t.assertFault(err, codes...)
	assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
}

// cancelScheduledChange cancels the scheduled change and returns the subscription.
func (t *env) cancelScheduledChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	t.skipWithout(payment.AtPeriodEnd)
	req := payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: s.ID}
	unscheduledSub, err := t.Provider.CancelScheduledChange(t.Context(), req)
	require.NoError(t, err)
	return unscheduledSub
}

// renew lets the current period or trial of the subscription end, pays the invoice for the next period
// and returns the subscription.
func (t *env) renew(s billing.Subscription) billing.Subscription {
	t.Helper()
	if s.Status == billing.Trialing && t.Provider.Capabilities().HasMethodPage() {
		t.saveMethodOnPage(s.CustomerID, Pays) // otherwise the first invoice after the trial is overdue
	}
	t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
	return t.completePayment(t.readSubscription(s.ID, billing.Active))
}

// priceOf returns the amount of one period at the price. To find the amount, it subscribes another
// customer.
func (t *env) priceOf(ref catalogue.PriceRef) money.Amount {
	t.Helper()
	return t.startSubscription(t.payingCustomer().ID, ref, 0).LatestInvoice.AmountDue
}
