package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

var timeBehaviours = []behaviour{
	{name: "a trial lasts until its end", needs: ClockControl, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		t.advance((trialDays - 1) * day)
		t.readSubscription(s.ID, billing.Trialing)
	}},
	{name: "the first period after a trial is charged", needs: ClockControl, check: func(t *env) {
		s := t.subscribe(t.customerWithMethod(Pays).ID, trialDays)

		t.advance((trialDays + 1) * day)

		activeSub := t.readSubscription(s.ID, billing.Active)
		t.assertPayment(activeSub, billing.Succeeded)
		assert.NotEqual(t, s.LatestInvoice.ID, activeSub.LatestInvoice.ID)
		assert.Equal(t, s.TrialEnd, activeSub.TrialEnd)
		assert.WithinDuration(t, s.TrialEnd.AddDate(1, 0, 0), activeSub.CurrentPeriodEnd, 4*day)
	}},
	{name: "the end of a trial causes an event", needs: ClockControl, check: func(t *env) {
		t.skipWithout(pushedEvents)
		s := t.subscribe(t.customerWithMethod(Pays).ID, trialDays)
		eventIDs := t.waitForEvent(payment.SubscriptionChanged, s.CustomerID, s.ID)
		t.advance((trialDays + 1) * day)
		t.waitForNewEvent(eventIDs, payment.SubscriptionChanged, s.CustomerID, s.ID)
	}},
	{name: "an authenticated card is charged when the trial ends", needs: ClockControl, check: func(t *env) {
		s := t.trialToAuthenticate()
		t.confirmSetup(s.PendingSetup.ClientSecret, true)
		t.advance((trialDays + 1) * day)
		t.readSubscription(s.ID, billing.Active)
	}},
	{name: "a subscription is past due when its trial ends with an unauthenticated card", needs: ClockControl,
		check: func(t *env) {
			s := t.subscribe(t.customerWithMethod(NeedsAuthentication).ID, trialDays)
			t.advance((trialDays + 1) * day)
			assert.NotEqual(t, billing.Succeeded, t.readSubscription(s.ID, billing.PastDue).LatestInvoice.Payment.Status)
		}},
	{name: "every period is charged", needs: ClockControl, check: func(t *env) {
		s := t.subscribeMonthly()
		for range 3 {
			t.advanceTo(s.CurrentPeriodEnd.Add(time.Hour))
			renewedSub := t.completePayment(t.readSubscription(s.ID, billing.Active))
			assert.NotEqual(t, s.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
			assert.WithinDuration(t, s.CurrentPeriodEnd.AddDate(0, 1, 0), renewedSub.CurrentPeriodEnd, 4*day)
			s = renewedSub
		}
	}},
	{name: "a first payment can be made within 23 hours", needs: ClockControl, check: func(t *env) {
		s := t.declinedSubscription()
		t.advance(20 * time.Hour)
		t.readSubscription(s.ID, billing.Incomplete)
		t.saveMethod(s.CustomerID, Pays)
		paidSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
	}},
	{name: "a first payment expires after 23 hours", needs: ClockControl, check: func(t *env) {
		s := t.unpaidSubscription()
		t.advance(25 * time.Hour)
		t.readSubscription(s.ID, billing.IncompleteExpired)
		t.saveMethodIfSupported(s.CustomerID)
		_, err := t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "a canceled subscription is not charged", needs: ClockControl, check: func(t *env) {
		endedSub := t.cancel(t.subscribe(t.payingCustomer().ID, t.availableTrialDays()).ID)
		if !endedSub.EndsAt.IsZero() {
			assert.WithinDuration(t, t.Now(), endedSub.EndsAt, time.Hour)
		}
		t.advance((trialDays + 1) * day)
		assert.Equal(t, endedSub, t.readSubscription(endedSub.ID, billing.Canceled))
	}},
}

var latePaymentBehaviours = []behaviour{
	{name: "a subscription is past due when the charge at the end of its trial is declined", needs: ClockControl,
		check: func(t *env) {
			t.skipWithout(payment.SavedMethods, cardField)
			t.assertNeedsPayment(t.overdueSubscription())
		}},
	{name: "a subscription is past due when its trial ends without a card", needs: ClockControl, check: func(t *env) {
		c := t.customerWithMethod(Pays)
		s := t.subscribe(c.ID, trialDays)
		require.NoError(t, t.deleteMethod(c.ID, c.Default.ID))
		t.advance((trialDays + 1) * day)
		t.assertNeedsPayment(t.readSubscription(s.ID, billing.PastDue))
	}},
	{name: "a new card pays an overdue invoice", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		t.saveMethod(s.CustomerID, Pays)
		paidSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
		assert.Equal(t, s.LatestInvoice.ID, paidSub.LatestInvoice.ID)
		assert.Equal(t, s.CurrentPeriodEnd, paidSub.CurrentPeriodEnd, "a late payment does not extend the period")
	}},
	{name: "the provider retries an overdue invoice with the new card", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		t.saveMethod(s.CustomerID, Pays)
		t.advance(30 * day)
		t.readSubscription(s.ID, billing.Active)
	}},
	{name: "a subscription ends if its invoice stays overdue", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		t.advance(60 * day)
		endedSub := t.refresh(s)
		assert.True(t, endedSub.Status.Ended(), endedSub.Status)
	}},
	{name: "an overdue invoice cannot be paid after the subscription has ended", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		t.advance(60 * day)
		t.saveMethod(s.CustomerID, Pays)
		_, err := t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
}

// overdueSubscription returns a subscription that is past due. With EntryInvoice its first invoice was not paid by the
// due date, with EntryRedirect its customer had no payment method at the renewal, and with EntryCardField the charge
// after its trial was declined.
func (t *env) overdueSubscription() billing.Subscription {
	t.Helper()
	var s billing.Subscription
	switch t.Provider.Capabilities().Entry {
	case payment.EntryInvoice:
		s = t.startSubscription(t.createCustomer().ID, standard, 0)
		dueAt := t.listInvoices(s.CustomerID)[0].DueAt
		t.advanceTo(dueAt.Add(2 * time.Hour))
	case payment.EntryRedirect:
		s = t.subscriptionWithoutMandate()
		t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
	case payment.EntryCardField:
		s = t.subscribe(t.customerWithMethod(DeclinedWhenCharged).ID, trialDays)
		t.advance((trialDays + 1) * day)
	}
	return t.readSubscription(s.ID, billing.PastDue)
}
