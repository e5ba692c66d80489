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
	{name: "the declared capabilities are valid", check: func(t *env) {
		c := t.Gateway.Capabilities()
		assert.Contains(t, []payment.Entry{payment.EntryCardField, payment.EntryRedirect}, c.Entry)
		assert.Positive(t, c.LongestRequest)
		assert.GreaterOrEqual(t, c.KeyRetention, time.Duration(0))
		assert.GreaterOrEqual(t, c.Settlement, time.Duration(0))
		assert.GreaterOrEqual(t, c.ReturnWindow, time.Duration(0))
		require.NotNil(t, c.Minimum)
		assert.LessOrEqual(t, c.Minimum("AUD"), price.Minor())
		all := []gateway.Capability{
			gateway.SaveOnly, gateway.OffSession, gateway.Refunds, gateway.Webhooks, gateway.Signatures, gateway.Polling,
			gateway.Disputes, gateway.Authentication,
		}
		assert.Subset(t, all, slices.Collect(maps.Keys(c.Missing)))
		assert.NotContains(t, slices.Collect(maps.Values(c.Missing)), "", "reasons of the missing capabilities")
	}},
	{name: "a request that needs a missing capability returns Unsupported", check: func(t *env) {
		c := t.Gateway.Capabilities()
		customerRef := t.saveCustomer()
		for capability, request := range map[gateway.Capability]func() error{
			gateway.SaveOnly: func() error {
				_, err := t.Gateway.Start(t.Context(), gateway.Order{
					Key: newKey(), CustomerRef: customerRef, Amount: aud(0), ReturnTo: returnTo,
				})
				return err
			},
			gateway.OffSession: func() error {
				_, err := t.Gateway.Start(t.Context(), newRenewal(customerRef, "unknown"))
				return err
			},
			gateway.Refunds: func() error {
				_, err := t.Gateway.Refund(t.Context(), gateway.RefundOrder{Key: newKey(), PaymentRef: "unknown", Amount: price})
				return err
			},
			gateway.Webhooks: func() error { _, err := t.Gateway.ParseEvents(t.Context(), payment.Delivery{}); return err },
			gateway.Polling:  func() error { _, _, err := t.Gateway.ListChanges(t.Context(), ""); return err },
		} {
			if !c.Has(capability) {
				t.assertFault(request(), fault.Unsupported)
			}
		}
	}},
}

// customerRetention is how long a repeated creation of a customer returns the same reference.
const customerRetention = time.Hour

var customerBehaviours = []behaviour{
	{name: "a repeated creation returns the same customer for an hour", check: func(t *env) {
		c := newCustomer()
		ref, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		t.Advance(t.T, customerRetention-time.Minute)
		repeatedRef, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, ref, repeatedRef)
		assert.NotEqual(t, ref, t.saveCustomer(), "customers with different IDs")
	}},
	{name: "an updated customer keeps its reference", check: func(t *env) {
		c := newCustomer()
		ref, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		t.Advance(t.T, t.Gateway.Capabilities().KeyRetention+customerRetention)
		c.Ref, c.Name, c.Email = ref, "Southside Clinic", "billing@southside.example"
		updatedRef, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, ref, updatedRef)
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
	{name: "Find finds a payment by its key or its reference", check: func(t *env) {
		customerRef := t.saveCustomer()
		o := t.newOrder(customerRef, Pays, price)
		p := t.start(o)
		for _, r := range []gateway.Reference{{Key: o.Key, CustomerRef: customerRef}, {Ref: p.Ref}, p.Reference} {
			found, err := t.Gateway.Find(t.Context(), r)
			require.NoError(t, err)
			assert.Equal(t, p.Reference, found.Reference)
			assert.Equal(t, p.State, found.State)
			assert.Equal(t, p.Amount, found.Amount)
			assert.Equal(t, p.URL, found.URL)
			assert.Equal(t, p.Secret, found.Secret)
		}
	}},
	{name: "Find finds each of many payments by its key", check: func(t *env) {
		customerRef := t.saveCustomer()
		var payments []gateway.Payment
		for range manyPayments {
			payments = append(payments, t.start(t.newOpenOrder(customerRef)))
		}
		for _, p := range []gateway.Payment{payments[0], payments[manyPayments/2], payments[manyPayments-1]} {
			found, err := t.Gateway.Find(t.Context(), gateway.Reference{Key: p.Key, CustomerRef: customerRef})
			require.NoError(t, err)
			assert.Equal(t, p.Reference, found.Reference)
		}
	}},
	{name: "Find finds an order that only saves a method by its key", needs: gateway.SaveOnly, check: func(t *env) {
		customerRef := t.saveCustomer()
		p := t.settle(t.pay(customerRef, Pays, aud(0)))
		require.NotNil(t, p.Method)
		found, err := t.Gateway.Find(t.Context(), gateway.Reference{Key: p.Key, CustomerRef: customerRef})
		require.NoError(t, err)
		assert.Equal(t, p.Reference, found.Reference)
		assert.Equal(t, gateway.Paid, found.State)
		require.NotNil(t, found.Method)
		assert.Equal(t, p.Method.Ref, found.Method.Ref)
	}},
	{name: "an unknown payment is NotFound", check: func(t *env) {
		for _, r := range []gateway.Reference{{Key: newKey(), CustomerRef: t.saveCustomer()}, {Ref: "unknown"}} {
			_, err := t.Gateway.Find(t.Context(), r)
			t.assertFault(err, fault.NotFound)
			_, err = t.Gateway.Cancel(t.Context(), r)
			t.assertFault(err, fault.NotFound)
		}
	}},
	{name: "an amount below the minimum is Invalid", check: func(t *env) {
		customerRef := t.saveCustomer()
		for _, minor := range []int64{-1, t.Gateway.Capabilities().Minimum("AUD") - 1} {
			if minor == 0 {
				continue // an order of 0 saves a method
			}
			_, err := t.Gateway.Start(t.Context(), t.newOrder(customerRef, Pays, aud(minor)))
			t.assertFault(err, fault.Invalid)
		}
		t.assertCharged(customerRef)
	}},
	{name: "two equal orders with different keys are charged separately", check: func(t *env) {
		customerRef := t.saveCustomer()
		first, second := t.pay(customerRef, Pays, price), t.pay(customerRef, Pays, price)
		assert.NotEqual(t, first.Ref, second.Ref)
		t.assertCharged(customerRef, price, price)
	}},
}

// manyPayments exceeds the length of a page in the lists of most providers.
const manyPayments = 110

// currencies are charged in addition to AUD: one in which AUD amounts are valid too, and one without minor units.
var currencies = []string{"USD", "JPY"}

var currencyBehaviours = []behaviour{
	currencyBehaviour(currencies[0]),
	currencyBehaviour(currencies[1]),
	{name: "the minimum can be charged", check: func(t *env) {
		customerRef := t.saveCustomer()
		minimum := aud(max(t.Gateway.Capabilities().Minimum("AUD"), 1))
		t.assertAccepted(t.pay(customerRef, Pays, minimum))
		t.assertCharged(customerRef, minimum)
	}},
}

// currencyBehaviour returns the behaviour that payments, renewals and refunds have the currency of their orders.
func currencyBehaviour(currency string) behaviour {
	return behaviour{name: "an order is charged and refunded in " + currency, check: func(t *env) {
		t.skipWithoutFunction(currency)
		customerRef := t.saveCustomer()
		minimum := t.Gateway.Capabilities().Minimum(currency)
		first, second := newAmount(minimum+3900, currency), newAmount(max(minimum, 1), currency)
		p := t.pay(customerRef, Pays, first)
		t.assertCharged(customerRef, first)
		p = t.settle(p)
		require.Equal(t, gateway.Paid, p.State)
		require.Equal(t, first, p.Amount)
		if t.Gateway.Capabilities().Has(gateway.OffSession) {
			o := newRenewal(customerRef, p.Method.Ref)
			o.Amount = second
			t.assertAccepted(t.start(o))
			t.assertCharged(customerRef, first, second)
		}
		if t.Gateway.Capabilities().Has(gateway.Refunds) {
			t.refund(newRefund(p, newAmount(39, currency)))
			refunds := t.find(p.Ref).Refunds
			require.Len(t, refunds, 1)
			assert.Equal(t, newAmount(39, currency), refunds[0].Amount)
		}
	}}
}

var keyBehaviours = []behaviour{
	{name: "a repeated order returns the current state of the payment and charges nothing", check: func(t *env) {
		t.skipWithoutKeys()
		customerRef := t.saveCustomer()
		o := t.newOrder(customerRef, Pays, price)
		first := t.start(o)
		repeated := t.start(o)
		assert.Equal(t, first.Reference, repeated.Reference)
		assert.Equal(t, first.State, repeated.State)
		assert.Equal(t, first.URL, repeated.URL)
		p := t.completeIfOpen(first, Pays)
		assert.Equal(t, p, t.start(o))
		p = t.settle(p)
		if t.remembersKeysAfterSettlement() {
			assert.Equal(t, p, t.start(o))
		}
		t.assertCharged(customerRef, price)
	}},
	{name: "a repeated order returns the declined payment and charges nothing", check: func(t *env) {
		t.skipWithoutKeys()
		t.skipWithout(gateway.OffSession)
		customerRef := t.saveCustomer()
		o := newRenewal(customerRef, t.saveMethod(customerRef, Declines))
		p := t.settle(t.start(o))
		if t.remembersKeysAfterSettlement() {
			assert.Equal(t, p, t.start(o))
		}
		t.assertCharged(customerRef, t.savingCharges()...)
	}},
	{name: "an order of another method with the same key returns Conflict", needs: gateway.OffSession, check: func(t *env) {
		t.skipWithoutKeys()
		customerRef := t.saveCustomer()
		first, second := t.payAndSettle(customerRef, Pays).Method, t.payAndSettle(customerRef, Pays).Method
		if first.Ref == second.Ref {
			t.Skip("equal accounts are one method")
		}
		o := newRenewal(customerRef, first.Ref)
		t.assertAccepted(t.start(o))
		o.MethodRef = second.Ref
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.Conflict)
		t.assertCharged(customerRef, price, price, price)
	}},
	{name: "a different order with the same key returns Conflict", check: func(t *env) {
		t.skipWithoutKeys()
		customerRef := t.saveCustomer()
		o := t.newOrder(customerRef, Pays, price)
		p := t.completeIfOpen(t.start(o), Pays)
		o.Amount = aud(40_00)
		_, err := t.Gateway.Start(t.Context(), o)
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, price, t.find(p.Ref).Amount)
		t.assertCharged(customerRef, price)
	}},
	{name: "concurrent orders with one key charge once", check: func(t *env) {
		t.skipWithoutKeys()
		t.skipWithout(gateway.OffSession)
		customerRef := t.saveCustomer()
		o := newRenewal(customerRef, t.payAndSettle(customerRef, Pays).Method.Ref)
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
		t.assertCharged(customerRef, price, price)
	}},
}

var lostResponseBehaviours = []behaviour{
	{name: "an order is charged once if the response is lost", check: func(t *env) {
		customerRef := t.saveCustomer()
		p := t.startAndLoseResponse(t.newOrder(customerRef, Pays, price))
		t.assertAccepted(t.completeIfOpen(p, Pays))
		t.assertCharged(customerRef, price)
	}},
	{name: "a renewal is charged once if the response is lost", needs: gateway.OffSession, check: func(t *env) {
		customerRef := t.saveCustomer()
		method := t.payAndSettle(customerRef, Pays).Method
		t.assertAccepted(t.startAndLoseResponse(newRenewal(customerRef, method.Ref)))
		t.assertCharged(customerRef, price, price)
	}},
	{name: "a refund is made once if the response is lost", needs: gateway.Refunds, check: func(t *env) {
		t.skipWithoutFunction("LoseResponse")
		p := t.payAndSettle(t.saveCustomer(), Pays)
		o := newRefund(p, aud(10_00))
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
	{name: "a customer is created once if the response is lost", check: func(t *env) {
		t.skipWithoutFunction("LoseResponse")
		c := newCustomer()
		t.LoseResponse(t.T)
		if _, err := t.Gateway.SaveCustomer(t.Context(), c); err == nil {
			t.Skip("the provider has no customers")
		}
		ref, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		repeatedRef, err := t.Gateway.SaveCustomer(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, ref, repeatedRef)
	}},
}

// failureStatuses are the statuses of responses that do not report the outcome of a request. They include those for a
// wrong or expired API key, which must not decline payments.
var failureStatuses = []int{401, 403, 429, 500, 502, 503}

var failedRequestBehaviours = []behaviour{
	{name: "an order returns Unavailable after a status 401, 403, 429 or 5xx, and charges nothing", check: func(t *env) {
		customerRef := t.saveCustomer()
		o := t.newOrder(customerRef, Pays, price)
		t.assertUnavailable(func() error { _, err := t.Gateway.Start(t.Context(), o); return err })
		t.assertCharged(customerRef)
		t.assertAccepted(t.completeIfOpen(t.start(o), Pays))
		t.assertCharged(customerRef, price)
	}},
	{name: "a renewal returns Unavailable after a status 401, 403, 429 or 5xx, and charges nothing", needs: gateway.OffSession,
		check: func(t *env) {
			customerRef := t.saveCustomer()
			o := newRenewal(customerRef, t.payAndSettle(customerRef, Pays).Method.Ref)
			t.assertUnavailable(func() error { _, err := t.Gateway.Start(t.Context(), o); return err })
			t.assertCharged(customerRef, price)
			t.assertAccepted(t.start(o))
			t.assertCharged(customerRef, price, price)
		}},
	{name: "Find, Cancel and Forget return Unavailable after a status 401, 403, 429 or 5xx", check: func(t *env) {
		customerRef := t.saveCustomer()
		methodRef := t.payAndSettle(customerRef, Pays).Method.Ref
		p := t.start(t.newOpenOrder(customerRef))
		byKey := gateway.Reference{Key: p.Key, CustomerRef: customerRef}
		t.assertUnavailable(func() error { _, err := t.Gateway.Find(t.Context(), p.Reference); return err })
		t.assertUnavailable(func() error { _, err := t.Gateway.Find(t.Context(), byKey); return err })
		t.assertUnavailable(func() error { _, err := t.Gateway.Cancel(t.Context(), p.Reference); return err })
		t.assertUnavailable(func() error { return t.Gateway.Forget(t.Context(), methodRef) })
		assert.Equal(t, p.State, t.find(p.Ref).State)
	}},
	{name: "a refund returns Unavailable after a status 401, 403, 429 or 5xx, and is not made", needs: gateway.Refunds,
		check: func(t *env) {
			p := t.payAndSettle(t.saveCustomer(), Pays)
			o := newRefund(p, aud(10_00))
			t.assertUnavailable(func() error { _, err := t.Gateway.Refund(t.Context(), o); return err })
			assert.Empty(t, t.find(p.Ref).Refunds)
			t.refund(o)
			assert.Len(t, t.find(p.Ref).Refunds, 1)
		}},
	{name: "ListChanges returns Unavailable after a status 401, 403, 429 or 5xx", needs: gateway.Polling, check: func(t *env) {
		t.assertUnavailable(func() error { _, _, err := t.Gateway.ListChanges(t.Context(), ""); return err })
	}},
}

// assertUnavailable asserts that a request returns Unavailable if the provider responds with one of failureStatuses.
func (t *env) assertUnavailable(request func() error) {
	t.Helper()
	t.skipWithoutFunction("FailNextRequest")
	for _, status := range failureStatuses {
		t.FailNextRequest(t.T, status)
		assert.Equal(t, fault.Unavailable, fault.CodeOf(request()), "after a status %d", status)
	}
}

// startAndLoseResponse sends an order whose response is lost. It repeats the order if the provider has keys, and returns
// the payment that Find finds.
func (t *env) startAndLoseResponse(o gateway.Order) gateway.Payment {
	t.Helper()
	t.skipWithoutFunction("LoseResponse")
	t.LoseResponse(t.T)
	_, err := t.Gateway.Start(t.Context(), o)
	t.assertFault(err, fault.Unavailable)
	if t.Gateway.Capabilities().KeyRetention > 0 {
		t.start(o)
	}
	p, err := t.Gateway.Find(t.Context(), gateway.Reference{Key: o.Key, CustomerRef: o.CustomerRef})
	require.NoError(t, err)
	assert.Equal(t, o.Key, p.Key)
	return p
}
