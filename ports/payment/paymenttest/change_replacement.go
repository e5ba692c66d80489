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

// replacementBehaviours are about immediate changes while another change is scheduled.
var replacementBehaviours = []behaviour{
	{name: "an immediate change replaces the scheduled change", needs: payment.AtPeriodEnd, check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, days), standardMonthly)

			changedSub := t.mustChangePlan(s, professional)

			assert.Nil(t, changedSub.Scheduled)
			assert.Equal(t, billing.Active, changedSub.Status)
			assert.Equal(t, changedSub, t.readSubscription(s.ID, billing.Active))
			assert.Equal(t, changedSub, t.cancelScheduledChange(changedSub), "no scheduled change remains")
		}
	}},
	{name: "a replaced change is not made at the renewal", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, 0), standardMonthly)
		assert.Equal(t, professional, t.renew(t.mustChangePlan(s, professional)).Price)
	}},
	{name: "a change that is scheduled can be made now instead", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, 0), professional)
		assert.Nil(t, t.mustChangePlan(s, professional).Scheduled)
	}},
	{name: "a refused immediate change keeps the scheduled change", needs: payment.AtPeriodEnd, check: func(t *env) {
		t.skipWithout(payment.ChangeNow)
		s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, 0), standardMonthly)
		req := planChange(s, standard)
		req.From = professional
		for _, req := range []payment.PriceChange{req, planChange(s, standardUSD)} {
			_, err := t.Provider.ChangePlan(t.Context(), req)
			t.assertFault(err, fault.Conflict, fault.Invalid)
			assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
		}
	}},
	{name: "an immediate change is quoted while another change is scheduled", needs: payment.Quoting, check: func(t *env) {
		t.skipWithout(payment.ChangeNow)
		s := t.mustScheduleChange(t.subscribe(t.payingCustomer().ID, 0), standardMonthly)
		req := planChange(s, professional)
		q, err := t.Provider.QuoteChange(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active), "a quote changes nothing")
		req.At = q.At

		changedSub, err := t.Provider.ChangePlan(t.Context(), req)

		require.NoError(t, err)
		t.assertChargedAsQuoted(q, t.completePayment(changedSub))
	}},
	{name: "a pending change reports the scheduled change that it replaces", needs: payment.ChangeNow,
		check: func(t *env) {
			for _, days := range t.trialLengths() {
				scheduledSub, pendingSub := t.startPendingReplacement(days)
				t.assertUnchanged(scheduledSub, pendingSub)
				assert.Nil(t, pendingSub.Scheduled)
				assert.Equal(t, scheduledSub.Scheduled, pendingSub.Pending.Replaces)
				t.assertReadsAs(pendingSub, t.readSubscription(pendingSub.ID, pendingSub.Status))
			}
		}},
	{name: "a canceled replacement schedules the replaced change again", needs: payment.ChangeNow, check: func(t *env) {
		scheduledSub, pendingSub := t.startPendingReplacement(0)
		t.saveMethodIfSupported(pendingSub.CustomerID)

		restoredSub, err := t.cancelPendingChange(pendingSub)

		require.NoError(t, err)
		t.assertUnchanged(scheduledSub, restoredSub)
		restoredSub = t.rescheduleIfLapsed(restoredSub)
		assert.Equal(t, scheduledSub.Scheduled, restoredSub.Scheduled)
		assert.Equal(t, restoredSub, t.readSubscription(restoredSub.ID, billing.Active))
		assert.Equal(t, standardMonthly, t.priceAfterRenewal(restoredSub))
	}},
	{name: "an expired replacement schedules the replaced change again", needs: payment.ChangeNow, check: func(t *env) {
		scheduledSub, pendingSub := t.startPendingReplacement(t.availableTrialDays())
		t.saveMethodIfSupported(pendingSub.CustomerID)
		t.advanceTo(pendingSub.Pending.ExpiresAt.Add(time.Hour))

		expiredSub := t.refresh(pendingSub)
		assert.Nil(t, expiredSub.Pending)
		expiredSub = t.rescheduleIfLapsed(expiredSub)
		if pendingSub.Pending.ExpiresAt.Before(pendingSub.CurrentPeriodEnd) {
			assert.Equal(t, scheduledSub.Scheduled, expiredSub.Scheduled)
			assert.Equal(t, standardMonthly, t.priceAfterRenewal(expiredSub))
		} else {
			assert.Equal(t, standardMonthly, expiredSub.Price)
		}
	}},
	{name: "paying for the replacement discards the scheduled change", needs: payment.ChangeNow, check: func(t *env) {
		_, pendingSub := t.startPendingReplacement(0)
		paidSub := t.payPendingChange(pendingSub)
		assert.Equal(t, professional, paidSub.Price)
		assert.Nil(t, paidSub.Pending)
		assert.Nil(t, paidSub.Scheduled)
		assert.Equal(t, professional, t.renew(paidSub).Price)
	}},
	{name: "a replaced change can be canceled with the change that replaces it", needs: payment.ChangeNow,
		check: func(t *env) {
			_, pendingSub := t.startPendingReplacement(0)
			t.saveMethodIfSupported(pendingSub.CustomerID)
			_, err := t.cancelPendingChange(pendingSub)
			require.NoError(t, err)

			unscheduledSub := t.cancelScheduledChange(pendingSub)

			assert.Nil(t, unscheduledSub.Scheduled)
			assert.Equal(t, unscheduledSub, t.readSubscription(unscheduledSub.ID, billing.Active))
			assert.Equal(t, standard, t.priceAfterRenewal(unscheduledSub))
		}},
	{name: "a replaced change that was canceled is not scheduled again", needs: payment.ChangeNow, check: func(t *env) {
		_, pendingSub := t.startPendingReplacement(0)
		pendingSub = t.cancelScheduledChange(pendingSub)
		require.NotNil(t, pendingSub.Pending)
		assert.Nil(t, pendingSub.Pending.Replaces)
		t.saveMethodIfSupported(pendingSub.CustomerID)
		unchangedSub, err := t.cancelPendingChange(pendingSub)
		require.NoError(t, err)
		assert.Nil(t, unchangedSub.Scheduled)
	}},
	{name: "a further change replaces the change that was scheduled again", needs: payment.ChangeNow, check: func(t *env) {
		_, pendingSub := t.startPendingReplacement(0)
		t.saveMethodIfSupported(pendingSub.CustomerID)
		s, err := t.cancelPendingChange(pendingSub)
		require.NoError(t, err)
		changedSub := t.mustChangePlan(s, professional)
		assert.Nil(t, changedSub.Scheduled)
		assert.Equal(t, professional, t.renew(changedSub).Price)
	}},
}

// startPendingReplacement schedules a change to the monthly price of the plan and then starts a change to the
// professional plan, which is pending and replaces the scheduled change. It returns the subscription after each of
// the two steps.
func (t *env) startPendingReplacement(days int) (scheduledSub, pendingSub billing.Subscription) {
	t.Helper()
	t.skipWithout(payment.ChangeNow, payment.AtPeriodEnd)
	paysOnPage := t.Provider.Capabilities().Redirects()
	if paysOnPage && t.Provider.Capabilities().Has(payment.SavedMethods) {
		scheduledSub = t.subscriptionWithoutMandate()
	} else {
		scheduledSub = t.subscribe(t.payingCustomer().ID, days)
	}
	scheduledSub = t.mustScheduleChange(scheduledSub, standardMonthly)
	if t.savesCards() {
		t.saveMethod(scheduledSub.CustomerID, DeclinedWhenCharged)
	}
	req := planChange(scheduledSub, professional)
	if paysOnPage {
		req.ReturnTo = returnTo
	}
	pendingSub, err := t.Provider.ChangePlan(t.Context(), req)
	require.NoError(t, err)
	if pendingSub.Pending == nil {
		t.Skip("the provider made the change immediately")
	}
	return scheduledSub, pendingSub
}

// priceAfterRenewal renews the subscription and returns its price. The customer may have no method to charge.
func (t *env) priceAfterRenewal(s billing.Subscription) catalogue.PriceRef {
	t.Helper()
	t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
	return t.refresh(s).Price
}

// payPendingChange pays for the pending change and returns the subscription.
func (t *env) payPendingChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	if !t.savesCards() {
		return t.completePayment(s)
	}
	t.saveMethod(s.CustomerID, Pays)
	paidSub, err := t.payInvoice(s)
	require.NoError(t, err)
	return paidSub
}

// rescheduleIfLapsed sends the scheduled change again if the provider has not kept the change.
func (t *env) rescheduleIfLapsed(s billing.Subscription) billing.Subscription {
	t.Helper()
	if s.Scheduled == nil || !s.Scheduled.Lapsed {
		return s
	}
	return t.mustScheduleChange(s, s.Scheduled.To)
}
