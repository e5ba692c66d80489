package paymenttest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var fencingBehaviours = []behaviour{
	{name: "an unused key can be retired repeatedly", needs: payment.Fencing, check: func(t *env) {
		c, key := t.createCustomer(), newKey()
		require.NoError(t, t.retire(c.ID, key))
		require.NoError(t, t.retire(c.ID, key))
	}},
	{name: "Subscribe with a retired key is refused", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		require.NoError(t, t.retire(c.ID, req.Key))
		for range 2 {
			_, err := t.Provider.Subscribe(t.Context(), req)
			t.assertKeyRetired(err)
		}
		assert.Empty(t, t.subscriptionIDs(c.ID))
		require.NoError(t, t.retire(c.ID, req.Key), "the key stays retired")
	}},
	{name: "Subscribe with a card and a retired key is refused", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, MethodID: t.createCard(Pays)}
		require.NoError(t, t.retire(c.ID, req.Key))
		_, err := t.Provider.Subscribe(t.Context(), req)
		t.assertKeyRetired(err)
		assert.Empty(t, t.subscriptionIDs(c.ID))
		assert.Equal(t, c.Default, t.readCustomer(c.ID).Default, "the default card stays")
	}},
	{name: "card requests with a retired key are refused", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		card, otherCard := t.createCard(Pays), t.saveCard(c.ID, Pays)
		key := newKey()
		require.NoError(t, t.retire(c.ID, key))
		_, err := t.Provider.AddCard(t.Context(), payment.NewCard{Key: key, CustomerID: c.ID, MethodID: card})
		t.assertKeyRetired(err)
		_, err = t.Provider.SetDefaultCard(t.Context(), payment.SavedCardRequest{
			Key: key, CustomerID: c.ID, MethodID: c.Default.ID,
		})
		t.assertKeyRetired(err)
		t.assertKeyRetired(t.Provider.DeleteCard(t.Context(), payment.SavedCardRequest{
			Key: key, CustomerID: c.ID, MethodID: otherCard.ID,
		}))
		assert.Equal(t, &otherCard, t.readCustomer(c.ID).Default)
		assert.Len(t, t.listCards(c.ID), 2)
	}},
	{name: "PayInvoice with a retired key is refused", needs: payment.Fencing, check: func(t *env) {
		s := t.declinedSubscription()
		t.saveCard(s.CustomerID, Pays)
		key := newKey()
		require.NoError(t, t.retire(s.CustomerID, key))
		_, err := t.payInvoiceWithKey(key, s)
		t.assertKeyRetired(err)
		t.assertNeedsPayment(t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "ChangePlan with a retired key is refused", needs: payment.Fencing, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		key := newKey()
		require.NoError(t, t.retire(s.CustomerID, key))
		_, err := t.changePlanWithKey(key, s, professional)
		t.assertKeyRetired(err)
		assert.Equal(t, standard, t.readSubscription(s.ID, billing.Active).Price)
	}},
	{name: "CancelPendingChange with a retired key is refused", needs: payment.Fencing, check: func(t *env) {
		s, key := t.subscriptionWithPendingChange(), newKey()
		require.NoError(t, t.retire(s.CustomerID, key))
		_, err := t.Provider.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
			Key: key, SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID,
		})
		t.assertKeyRetired(err)
		assert.Equal(t, s.Pending, t.readSubscription(s.ID, billing.Active).Pending)
	}},
	{name: "CancelSubscription with a retired key is refused", needs: payment.Fencing, check: func(t *env) {
		for _, s := range []billing.Subscription{t.subscribe(t.payingCustomer().ID, 0), t.declinedSubscription()} {
			key := newKey()
			require.NoError(t, t.retire(s.CustomerID, key))
			_, err := t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: key, SubscriptionID: s.ID})
			t.assertKeyRetired(err)
			t.readSubscription(s.ID, s.Status)
		}
	}},
	{name: "requests about the next renewal with a retired key are refused", needs: payment.Fencing, check: func(t *env) {
		t.skipWithout(payment.AtPeriodEnd)
		s, key := t.scheduleMonthlyChange(t.subscribe(t.payingCustomer().ID, 0)), newKey()
		require.NoError(t, t.retire(s.CustomerID, key))
		req := changeAtRenewal(s, professional)
		req.Key = key
		_, err := t.Provider.ChangePlan(t.Context(), req)
		t.assertKeyRetired(err)
		_, err = t.Provider.CancelScheduledChange(t.Context(), payment.ScheduledChangeCancellation{Key: key, SubscriptionID: s.ID})
		t.assertKeyRetired(err)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
		s, key = t.subscribe(t.payingCustomer().ID, 0), newKey()
		require.NoError(t, t.retire(s.CustomerID, key))
		_, err = t.Provider.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: key, SubscriptionID: s.ID, End: true})
		t.assertKeyRetired(err)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "requests of support staff with a retired key are refused", needs: payment.Fencing, check: func(t *env) {
		t.skipWithout(payment.CustomerCredit, payment.Trials, payment.Refunds)
		c, key := t.customerWithCurrency(), newKey()
		trial := t.subscribe(c.ID, trialDays)
		require.NoError(t, t.retire(c.ID, key))
		_, err := t.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: key, CustomerID: c.ID, Amount: aud(100)})
		t.assertKeyRetired(err)
		_, err = t.Provider.ExtendTrial(t.Context(), payment.TrialExtension{
			Key: key, SubscriptionID: trial.ID, Until: trial.TrialEnd.Add(day),
		})
		t.assertKeyRetired(err)
		paidInvoice := t.listInvoices(c.ID)[1]
		_, err = t.Provider.Refund(t.Context(), payment.RefundRequest{Key: key, InvoiceID: paidInvoice.ID, Amount: aud(100)})
		t.assertKeyRetired(err)
		_, err = t.Provider.UpdateCustomer(t.Context(),
			payment.CustomerUpdate{Key: key, CustomerID: c.ID, Details: billingDetails()})
		t.assertKeyRetired(err)
		assert.Equal(t, c, t.readCustomer(c.ID))
		assert.Equal(t, trial, t.readSubscription(trial.ID, billing.Trialing))
	}},
	{name: "a used key cannot be retired and returns its response", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		s, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		err = t.retire(c.ID, req.Key)
		t.assertFault(err, fault.Conflict)
		assert.NotErrorIs(t, err, payment.ErrKeyRetired)
		repeatedSub, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, s, repeatedSub)
	}},
	{name: "a response and a retired key are remembered for a day", needs: payment.Fencing, check: func(t *env) {
		t.skipWithout(ClockControl)
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		retiredReq := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		s, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		require.NoError(t, t.retire(c.ID, retiredReq.Key))
		t.advance(payment.KeyRetention - time.Minute)
		repeatedSub, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, s.ID, repeatedSub.ID, "the response is the stored or the current subscription")
		_, err = t.Provider.Subscribe(t.Context(), retiredReq)
		t.assertKeyRetired(err)
	}},
	{name: "a key used for another request is not reported as retired", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		_, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		req.Price = professional
		_, err = t.Provider.Subscribe(t.Context(), req)
		t.assertFault(err, fault.Conflict)
		assert.NotErrorIs(t, err, payment.ErrKeyRetired)
	}},
	{name: "a request that is retired while it runs either acts or is refused", needs: payment.Fencing, check: func(t *env) {
		for range 8 {
			c := t.payingCustomer()
			req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
			var subscribeErr error
			var wg sync.WaitGroup
			wg.Go(func() { _, subscribeErr = t.Provider.Subscribe(t.Context(), req) })
			retireErr := t.retire(c.ID, req.Key)
			wg.Wait()
			if retireErr == nil {
				t.assertKeyRetired(subscribeErr)
				assert.Empty(t, t.subscriptionIDs(c.ID))
				continue
			}
			t.assertFault(retireErr, fault.Conflict)
			assert.NoError(t, subscribeErr)
			assert.Len(t, t.subscriptionIDs(c.ID), 1)
		}
	}},
	{name: "a key can be retired concurrently", needs: payment.Fencing, check: func(t *env) {
		c, key := t.createCustomer(), newKey()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { assert.NoError(t, t.retire(c.ID, key)) })
		}
		wg.Wait()
	}},
	{name: "retiring a key of a deleted or unknown customer is NotFound", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		t.DeleteCustomer(t.T, c.ID)
		t.assertFault(t.retire(c.ID, newKey()), fault.NotFound)
		for name, id := range unknownIDs {
			err := t.retire(id, newKey())
			assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%s: %v", name, err)
		}
	}},
	{name: "a subscription keeps the key that started it", needs: payment.Trials, check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, TrialDays: trialDays}
		s, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, req.Key, s.StartKey)
		changedSub, err := t.changePlan(t.completePayment(s), professional)
		require.NoError(t, err)
		assert.Equal(t, req.Key, changedSub.StartKey, "a plan change keeps the key")
		subs, err := t.Provider.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		require.Len(t, subs, 1)
		assert.Equal(t, req.Key, subs[0].StartKey)
	}},
}

func (t *env) retire(customerID, key string) error {
	t.Helper()
	return t.Provider.Retire(t.Context(), payment.Retirement{Key: key, CustomerID: customerID})
}

// assertKeyRetired asserts that a request was refused because its key was retired.
func (t *env) assertKeyRetired(err error) {
	t.Helper()
	t.assertFault(err, fault.Conflict)
	assert.ErrorIs(t, err, payment.ErrKeyRetired)
}

func (t *env) payInvoiceWithKey(key string, s billing.Subscription) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(onlinePayment)
	req := invoicePayment(s)
	req.Key = key
	return t.Provider.PayInvoice(t.Context(), req)
}

func (t *env) changePlanWithKey(key string, s billing.Subscription, to catalogue.PriceRef) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	req := planChange(s, to)
	req.Key = key
	return t.Provider.ChangePlan(t.Context(), req)
}
