package paymenttest

import (
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var cancellationBehaviours = []behaviour{
	{name: "a subscription is canceled immediately", check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			endedSub := t.cancel(s.ID)
			assert.Equal(t, s.ID, endedSub.ID)
			assert.Equal(t, billing.Canceled, endedSub.Status)
			assert.Equal(t, standard, endedSub.Price)
			assert.Equal(t, endedSub, t.readSubscription(s.ID, billing.Canceled))
		}
	}},
	{name: "canceling an ended subscription changes nothing", check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		endedSub := t.cancel(s.ID)
		assert.Equal(t, endedSub, t.cancel(s.ID))
	}},
	{name: "a subscription that was never paid can be canceled", check: func(t *env) {
		endedSub := t.cancel(t.unpaidSubscription().ID)
		assert.True(t, endedSub.Status.Ended(), endedSub.Status)
		assert.Equal(t, endedSub, t.cancel(endedSub.ID))
	}},
	{name: "canceling with IfUnpaid keeps a paid subscription", check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			keptSub, err := t.cancelIfUnpaid(s.ID)
			require.NoError(t, err)
			assert.Equal(t, s, keptSub)
			assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
		}
	}},
	{name: "canceling with IfUnpaid ends an unpaid subscription", check: func(t *env) {
		s := t.unpaidSubscription()
		endedSub, err := t.cancelIfUnpaid(s.ID)
		require.NoError(t, err)
		assert.True(t, endedSub.Status.Ended(), endedSub.Status)
		repeatedSub, err := t.cancelIfUnpaid(s.ID)
		require.NoError(t, err)
		assert.Equal(t, endedSub, repeatedSub)

		t.saveMethodIfSupported(s.CustomerID)
		_, err = t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "canceling with IfUnpaid during a payment ends the subscription or keeps it paid", check: func(t *env) {
		for range 8 {
			s := t.declinedSubscription()
			t.saveMethod(s.CustomerID, Pays)
			var wg sync.WaitGroup
			wg.Go(func() { _, _ = t.payInvoice(s) }) // the provider refuses the payment if the cancellation comes first
			endedSub, cancelErr := t.cancelIfUnpaid(s.ID)
			wg.Wait()
			updatedSub := t.refresh(s)
			if fault.Is(cancelErr, fault.Conflict) && t.Settle != nil {
				t.assertPaid(updatedSub) // the payment was processing
				continue
			}
			require.NoError(t, cancelErr)
			assert.Equal(t, endedSub.Status, updatedSub.Status)
			if updatedSub.Status.Live() {
				t.assertPaid(updatedSub)
			} else {
				assert.NotEqual(t, billing.InvoicePaid, updatedSub.LatestInvoice.Status, "an ended subscription is not charged")
			}
		}
	}},
	{name: "canceling a subscription discards its pending change", check: func(t *env) {
		s := t.subscriptionWithPendingChange()
		endedSub := t.cancel(s.ID)
		assert.Equal(t, billing.Canceled, endedSub.Status)
		assert.Equal(t, standard, endedSub.Price)
		t.saveMethodIfSupported(s.CustomerID)
		_, err := t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "the customer can subscribe again after a cancellation", check: func(t *env) {
		c := t.payingCustomer()
		t.cancel(t.subscribe(c.ID, 0).ID)
		assert.Equal(t, billing.Active, t.subscribe(c.ID, 0).Status)
	}},
	{name: "canceling keeps the cards", check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		defaultCard := t.readCustomer(s.CustomerID).Default
		t.cancel(s.ID)
		assert.Equal(t, defaultCard, t.readCustomer(s.CustomerID).Default)
	}},
}

func (t *env) cancelIfUnpaid(subscriptionID string) (billing.Subscription, error) {
	t.Helper()
	return t.Provider.CancelSubscription(t.Context(), payment.Cancellation{
		Key: newKey(), SubscriptionID: subscriptionID, IfUnpaid: true,
	})
}

var listingBehaviours = []behaviour{
	{name: "a customer without subscriptions has an empty list", check: func(t *env) {
		assert.Empty(t, t.subscriptionIDs(t.createCustomer().ID))
	}},
	{name: "all subscriptions are listed newest first", check: func(t *env) {
		c := t.payingCustomer()
		oldestSub := t.cancel(t.subscribe(c.ID, 0).ID)
		middleSub := t.cancel(t.subscribe(c.ID, t.availableTrialDays()).ID)
		newestSub := t.subscribe(c.ID, 0)
		assert.Equal(t, []string{newestSub.ID, middleSub.ID, oldestSub.ID}, t.subscriptionIDs(c.ID))
	}},
	{name: "a list with statuses contains only subscriptions with one of the statuses", check: func(t *env) {
		c := t.payingCustomer()
		canceledSub := t.cancel(t.subscribe(c.ID, 0).ID)
		trialingSub := t.subscribe(c.ID, trialDays)
		activeSub := t.subscribe(c.ID, 0)
		assert.Equal(t, []string{canceledSub.ID}, t.subscriptionIDs(c.ID, billing.Canceled))
		assert.Equal(t, []string{activeSub.ID, trialingSub.ID}, t.subscriptionIDs(c.ID, billing.Active, billing.Trialing))
		assert.Empty(t, t.subscriptionIDs(c.ID, billing.PastDue, billing.Unpaid))
	}},
	{name: "a listed subscription equals the response to Subscribe", check: func(t *env) {
		c := t.customerWithMethod(NeedsAuthentication)
		s := t.subscribe(c.ID, trialDays)
		subs, err := t.Provider.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		require.Len(t, subs, 1)
		assert.Equal(t, s.WithoutSecrets(), subs[0].WithoutSecrets())
	}},
	{name: "another customer's subscriptions are not listed", check: func(t *env) {
		c, otherCustomer := t.payingCustomer(), t.payingCustomer()
		s := t.subscribe(c.ID, 0)
		t.subscribe(otherCustomer.ID, 0)
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(c.ID))
	}},
	{name: "many subscriptions are listed completely", check: func(t *env) {
		c := t.payingCustomer()
		const count = 12
		for range count {
			t.subscribe(c.ID, t.availableTrialDays())
		}
		assert.Len(t, t.subscriptionIDs(c.ID), count)
	}},
}
