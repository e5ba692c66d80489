package gatewaytest

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

var capabilityBehaviours = []behaviour{
	{name: "are declared", check: func(t *env) {
		c := t.Gateway.Capabilities()
		assert.Contains(t, []payment.Entry{payment.EntryCardField, payment.EntryRedirect}, c.Entry)
		assert.Positive(t, c.LongestRequest)
		assert.GreaterOrEqual(t, c.KeyRetention, time.Duration(0))
		assert.GreaterOrEqual(t, c.Settlement, time.Duration(0))
		assert.GreaterOrEqual(t, c.ReturnWindow, time.Duration(0))
		require.NotNil(t, c.Minimum)
		assert.LessOrEqual(t, c.Minimum("AUD"), price.Minor())
		known := []gateway.Capability{
			gateway.SaveOnly, gateway.OffSession, gateway.Refunds, gateway.Webhooks, gateway.Signatures, gateway.Polling,
		}
		assert.Subset(t, known, slices.Collect(maps.Keys(c.Missing)))
		assert.NotContains(t, slices.Collect(maps.Values(c.Missing)), "", "each missing capability has a reason")
	}},
	{name: "that are missing are Unsupported", check: func(t *env) {
		c := t.Gateway.Capabilities()
		customer := t.saveCustomer()
		for capability, request := range map[gateway.Capability]func() error{
			gateway.SaveOnly: func() error {
				_, err := t.Gateway.Start(t.Context(), gateway.Order{Key: newKey(), CustomerRef: customer, Amount: aud(0), ReturnTo: returnTo})
				return err
			},
			gateway.OffSession: func() error {
				_, err := t.Gateway.Start(t.Context(), gateway.Order{Key: newKey(), CustomerRef: customer, Amount: price, MethodRef: "unknown"})
				return err
			},
			gateway.Refunds: func() error {
				_, err := t.Gateway.Refund(t.Context(), gateway.RefundOrder{Key: newKey(), PaymentRef: "unknown", Amount: price})
				return err
			},
			gateway.Webhooks: func() error { _, err := t.Gateway.Parse(t.Context(), payment.Delivery{}); return err },
			gateway.Polling:  func() error { _, _, err := t.Gateway.Changed(t.Context(), ""); return err },
		} {
			if !c.Has(capability) {
				t.assertFault(request(), fault.Unsupported)
			}
		}
	}},
}

var customerBehaviours = []behaviour{
	{name: "the same customer has the same reference", check: func(t *env) {
		c := newCustomer()
		first, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		again, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		c.Ref, c.Name, c.Email = first, "Southside Clinic", "billing@southside.example"
		updated, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, []string{first, first}, []string{again, updated})
		assert.NotEqual(t, first, t.saveCustomer(), "another customer has another reference")
	}},
	{name: "an order of an unknown customer is NotFound", check: func(t *env) {
		c := newCustomer()
		if ref, err := t.Gateway.SaveCustomer(t.Context(), c); err != nil || ref == c.ID {
			t.Skip("the provider has no customers")
		}
		_, err := t.Gateway.Start(t.Context(), t.newOrder("unknown", Pays, price))
		t.assertFault(err, fault.NotFound)
	}},
}

var orderBehaviours = []behaviour{
	{name: "a payment is found by its key and its reference", check: func(t *env) {
		customer := t.saveCustomer()
		o := t.newOrder(customer, Pays, price)
		started := t.start(o)
		for _, r := range []gateway.Reference{{Key: o.Key, CustomerRef: customer}, {Ref: started.Ref}, started.Reference} {
			found, err := t.Gateway.Find(t.Context(), r)
			require.NoError(t, err)
			assert.Equal(t, started.Reference, found.Reference)
			assert.Equal(t, started.State, found.State)
			assert.Equal(t, started.Amount, found.Amount)
			assert.Equal(t, started.URL, found.URL)
			assert.Equal(t, started.Secret, found.Secret)
		}
	}},
	{name: "an unknown payment is NotFound", check: func(t *env) {
		for _, r := range []gateway.Reference{{Key: newKey(), CustomerRef: t.saveCustomer()}, {Ref: "unknown"}} {
			_, err := t.Gateway.Find(t.Context(), r)
			t.assertFault(err, fault.NotFound)
			_, err = t.Gateway.Cancel(t.Context(), r)
			t.assertFault(err, fault.NotFound)
		}
	}},
	{name: "an amount that is too small is Invalid", check: func(t *env) {
		customer := t.saveCustomer()
		for _, minor := range []int64{-1, t.Gateway.Capabilities().Minimum("AUD") - 1} {
			if minor == 0 {
				continue // saves a method
			}
			_, err := t.Gateway.Start(t.Context(), t.newOrder(customer, Pays, aud(minor)))
			t.assertFault(err, fault.Invalid)
		}
		t.assertDebits(customer)
	}},
	{name: "two orders are two payments", check: func(t *env) {
		customer := t.saveCustomer()
		first, second := t.pay(customer, Pays, price), t.pay(customer, Pays, price)
		assert.NotEqual(t, first.Ref, second.Ref)
		t.assertDebits(customer, price, price)
	}},
}

var keyBehaviours = []behaviour{
	{name: "a repeated order returns the payment in its current state and charges nothing", check: func(t *env) {
		t.requireKeys()
		customer := t.saveCustomer()
		o := t.newOrder(customer, Pays, price)
		first := t.start(o)
		again := t.start(o)
		assert.Equal(t, first.Reference, again.Reference)
		assert.Equal(t, first.State, again.State)
		assert.Equal(t, first.URL, again.URL)
		paid := t.settle(t.finish(first, Pays))
		if t.remembersKeysAfterSettlement() {
			assert.Equal(t, paid, t.start(o))
		}
		t.assertDebits(customer, price)
	}},
	{name: "a repeated order returns a declined payment again", check: func(t *env) {
		t.requireKeys()
		t.require(gateway.OffSession)
		customer := t.saveCustomer()
		o := gateway.Order{Key: newKey(), CustomerRef: customer, Amount: price, MethodRef: t.saveMethod(customer, Declines)}
		declined := t.settle(t.start(o))
		if t.remembersKeysAfterSettlement() {
			assert.Equal(t, declined, t.start(o))
		}
		t.assertDebits(customer)
	}},
	{name: "another order with the key is Conflict", check: func(t *env) {
		t.requireKeys()
		customer := t.saveCustomer()
		o := t.newOrder(customer, Pays, price)
		p := t.finish(t.start(o), Pays)
		o.Amount = aud(40_00)
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, price, t.find(p.Ref).Amount)
		t.assertDebits(customer, price)
	}},
	{name: "concurrent orders with one key charge once", check: func(t *env) {
		t.requireKeys()
		t.require(gateway.OffSession)
		customer := t.saveCustomer()
		o := gateway.Order{Key: newKey(), CustomerRef: customer, Amount: price, MethodRef: t.paidPayment(customer, Pays).Method.Ref}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := t.Gateway.Start(t.Context(), o); err != nil {
					assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "%v", err)
				}
			})
		}
		wg.Wait()
		t.assertAccepted(t.start(o))
		t.assertDebits(customer, price, price)
	}},
}

var lostResponseBehaviours = []behaviour{
	{name: "an order without a response is found and charged once", check: func(t *env) {
		t.requireFunction("LoseResponse")
		customer := t.saveCustomer()
		o := t.newOrder(customer, Pays, price)
		t.LoseResponse(t.T)
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.Unavailable)
		if t.Gateway.Capabilities().KeyRetention > 0 {
			t.start(o)
		}
		found, err := t.Gateway.Find(t.Context(), gateway.Reference{Key: o.Key, CustomerRef: customer})
		require.NoError(t, err)
		assert.Equal(t, o.Key, found.Key)
		t.assertAccepted(t.finish(found, Pays))
		t.assertDebits(customer, price)
	}},
	{name: "a renewal without a response is found and charged once", needs: gateway.OffSession, check: func(t *env) {
		t.requireFunction("LoseResponse")
		customer := t.saveCustomer()
		o := gateway.Order{Key: newKey(), CustomerRef: customer, Amount: price, MethodRef: t.paidPayment(customer, Pays).Method.Ref}
		t.LoseResponse(t.T)
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.Unavailable)
		if t.Gateway.Capabilities().KeyRetention > 0 {
			t.start(o)
		}
		found, err := t.Gateway.Find(t.Context(), gateway.Reference{Key: o.Key, CustomerRef: customer})
		require.NoError(t, err)
		t.assertAccepted(found)
		t.assertDebits(customer, price, price)
	}},
	{name: "a refund without a response is found and made once", needs: gateway.Refunds, check: func(t *env) {
		t.requireFunction("LoseResponse")
		p := t.paidPayment(t.saveCustomer(), Pays)
		o := gateway.RefundOrder{Key: newKey(), PaymentRef: p.Ref, Amount: aud(10_00)}
		t.LoseResponse(t.T)
		_, err := t.Gateway.Refund(t.Context(), o)
		t.assertFault(err, fault.Unavailable)
		if t.Gateway.Capabilities().KeyRetention > 0 {
			t.refund(o)
		}
		refunds := t.find(p.Ref).Refunds
		require.Len(t, refunds, 1)
		assert.Equal(t, o.Key, refunds[0].Key)
	}},
	{name: "a customer without a response is saved once", check: func(t *env) {
		t.requireFunction("LoseResponse")
		c := newCustomer()
		t.LoseResponse(t.T)
		if _, err := t.Gateway.SaveCustomer(t.Context(), c); err == nil {
			t.Skip("the provider has no customers")
		}
		first, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		again, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, first, again)
	}},
}
