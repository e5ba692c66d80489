package paymenttest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var fencingBehaviours = []behaviour{
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
	{name: "retiring a key of a deleted customer is NotFound", needs: payment.Fencing, check: func(t *env) {
		c := t.payingCustomer()
		t.DeleteCustomer(t.T, c.ID)
		t.assertFault(t.retire(c.ID, newKey()), fault.NotFound)
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
