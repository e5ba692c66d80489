package gatewaytest

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	defaultDeliveryTimeout = 2 * time.Minute
	deliveryPollInterval   = 5 * time.Millisecond
)

var webhookBehaviours = []behaviour{
	{name: "each change of a payment is delivered", needs: gateway.Webhooks, check: func(t *env) {
		p := t.start(t.newOrder(t.saveCustomer(), Pays, price))
		if p.State == gateway.Open {
			t.waitForDelivery(p, func() { p = t.completeIfOpen(p, Pays) })
		}
		if p.State == gateway.Processing {
			t.waitForDelivery(p, func() { require.Equal(t, gateway.Paid, t.settle(p).State) })
		}
		t.skipWithout(gateway.Refunds)
		if r := t.refund(newRefund(p, aud(10_00))); r.State == gateway.Processing {
			t.waitForDelivery(p, func() { p = t.settleRefunds(p) })
		}
		t.skipWithoutFunction("RefundByHand")
		t.waitForDelivery(p, func() { t.RefundByHand(t.T, p.Ref, aud(10_00)) })
	}},
	{name: "a delivery without a signature is Forbidden", needs: gateway.Signatures, check: func(t *env) {
		t.newSignedDelivery()
		_, err := t.Gateway.ParseEvents(t.Context(), payment.Delivery{Body: t.Deliveries(t.T)[0].Body})
		t.assertFault(err, fault.Forbidden)
	}},
	{name: "a delivery whose body was changed is Forbidden", needs: gateway.Signatures, check: func(t *env) {
		d := t.newSignedDelivery()
		refs, err := t.Gateway.ParseEvents(t.Context(), d)
		require.NoError(t, err)
		require.NotEmpty(t, refs)
		id := cmp.Or(refs[0].Ref, refs[0].Key)
		require.Contains(t, string(d.Body), id)
		d.Body = bytes.ReplaceAll(d.Body, []byte(id), []byte(id+"0"))
		_, err = t.Gateway.ParseEvents(t.Context(), d)
		t.assertFault(err, fault.Forbidden)
	}},
	{name: "a delivery about an unknown payment is refused, or returns references that Find does not know", needs: gateway.Webhooks, check: func(t *env) {
		t.pay(t.saveCustomer(), Pays, price)
		delivered := t.firstDelivery().Body
		refs, err := t.Gateway.ParseEvents(t.Context(), t.Sign(delivered))
		require.NoError(t, err)
		require.NotEmpty(t, refs)
		body := delivered
		for _, ref := range refs {
			require.Contains(t, string(delivered), cmp.Or(ref.Ref, ref.Key))
			for _, id := range []string{ref.Ref, ref.Key} { // Find may use either
				if id != "" {
					body = bytes.ReplaceAll(body, []byte(id), []byte(id[:len(id)-1]+"0x"))
				}
			}
		}
		refs, err = t.Gateway.ParseEvents(t.Context(), t.Sign(body))
		if err != nil {
			t.Logf("The adapter refuses a delivery about an unknown payment: %v. Other events of that delivery are lost.", err)
		}
		for _, ref := range refs { // the billing looks up each reference once and ignores an unknown one
			_, err := t.Gateway.Find(t.Context(), ref)
			t.assertFault(err, fault.NotFound)
		}
	}},
	{name: "a body without events is Invalid", needs: gateway.Webhooks, check: func(t *env) {
		for _, body := range []string{"", "{}", "null", "[]", "events", `{"a": 1}`} {
			_, err := t.Gateway.ParseEvents(t.Context(), t.Sign([]byte(body)))
			t.assertFault(err, fault.Invalid)
		}
	}},
}

// newSignedDelivery makes a payment and returns a signed delivery that concerns it.
func (t *env) newSignedDelivery() payment.Delivery {
	t.Helper()
	t.skipWithout(gateway.Webhooks)
	t.pay(t.saveCustomer(), Pays, price)
	d := t.Sign(t.firstDelivery().Body)
	_, err := t.Gateway.ParseEvents(t.Context(), d)
	require.NoError(t, err)
	return d
}

// waitForDelivery calls change and waits for a new delivery that names the payment.
func (t *env) waitForDelivery(p gateway.Payment, change func()) {
	t.Helper()
	countBefore := t.countDeliveries(p)
	change()
	t.eventually(func() bool { return t.countDeliveries(p) > countBefore }, "no new delivery has the Key of the order or the Ref of the payment")
}

// firstDelivery waits for a delivery and returns the first one.
func (t *env) firstDelivery() payment.Delivery {
	t.Helper()
	t.eventually(func() bool { return len(t.Deliveries(t.T)) > 0 }, "no delivery arrived")
	return t.Deliveries(t.T)[0]
}

// eventually waits until the condition is true. It stops the test with the message after the DeliveryTimeout.
func (t *env) eventually(condition func() bool, message string) {
	t.Helper()
	timeout := cmp.Or(t.DeliveryTimeout, defaultDeliveryTimeout)
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.True(c, condition(), message) }, timeout, deliveryPollInterval)
}

// countDeliveries returns how many deliveries name the payment.
func (t *env) countDeliveries(p gateway.Payment) (count int) {
	for _, d := range t.Deliveries(t.T) {
		refs, err := t.Gateway.ParseEvents(t.Context(), t.Sign(d.Body))
		assert.NoError(t, err)
		if containsPayment(refs, p) {
			count++
		}
	}
	return count
}

// containsPayment reports whether one of the references has the key or the Ref of the payment.
func containsPayment(refs []gateway.Reference, p gateway.Payment) bool {
	return slices.ContainsFunc(refs, func(r gateway.Reference) bool { return r.Key == p.Key || r.Ref == p.Ref })
}

var pollingBehaviours = []behaviour{
	{name: "ListChanges returns all changes, or those after a cursor", needs: gateway.Polling, check: func(t *env) {
		customerRef := t.saveCustomer()
		var payments []gateway.Payment
		for range 30 {
			payments = append(payments, t.start(t.newOpenOrder(customerRef)))
		}
		changes, cursor := t.poll("")
		for _, p := range payments {
			assert.True(t, containsPayment(changes, p), "one of %d payments is not in the list", len(payments))
		}
		_, repeatedCursor := t.poll("")
		assert.Equal(t, cursor, repeatedCursor)
		changes, _ = t.poll(cursor)
		assert.Empty(t, changes)
	}},
	{name: "ListChanges returns a canceled payment", needs: gateway.Polling, check: func(t *env) {
		t.skipWithoutFunction("Cancel")
		_, p := t.startOpenPayment()
		t.startOpenPayment()
		_, cursor := t.poll("")
		_, err := t.Gateway.Cancel(t.Context(), p.Reference)
		require.NoError(t, err)
		t.assertInChanges(p, cursor)
	}},
	{name: "ListChanges returns payments that settle or are refunded by hand", needs: gateway.Polling, check: func(t *env) {
		p := t.start(t.newOrder(t.saveCustomer(), Pays, price))
		_, cursor := t.poll("")
		if p.State == gateway.Open {
			p = t.completeIfOpen(p, Pays)
			cursor = t.assertInChanges(p, cursor)
		}
		if p.State == gateway.Processing {
			t.settle(p)
			cursor = t.assertInChanges(p, cursor)
		}
		t.skipWithout(gateway.Refunds)
		t.skipWithoutFunction("RefundByHand")
		t.RefundByHand(t.T, p.Ref, aud(10_00))
		t.assertInChanges(p, cursor)
	}},
}

// poll returns all changes after the cursor, and the cursor for the next call.
func (t *env) poll(cursor string) (changes []gateway.Reference, next string) {
	t.Helper()
	for range 100 {
		refs, next, err := t.Gateway.ListChanges(t.Context(), cursor)
		require.NoError(t, err)
		if len(refs) == 0 {
			return changes, next
		}
		changes = append(changes, refs...)
		cursor = next
	}
	t.Fatal("ListChanges still returns references after 100 calls")
	return nil, ""
}

// assertInChanges asserts that the changes after the cursor name the payment, and returns the cursor for the next call.
func (t *env) assertInChanges(p gateway.Payment, cursor string) (next string) {
	t.Helper()
	changes, next := t.poll(cursor)
	assert.True(t, containsPayment(changes, p))
	return next
}

var contextBehaviours = []behaviour{
	{name: "a request with a canceled context returns Unavailable", check: func(t *env) {
		customerRef := t.saveCustomer()
		o := t.newOrder(customerRef, Pays, price)
		p := t.payAndSettle(customerRef, Pays)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c := t.Gateway.Capabilities()
		requests := map[string]func() error{
			"Start":  func() error { _, err := t.Gateway.Start(ctx, o); return err },
			"Find":   func() error { _, err := t.Gateway.Find(ctx, p.Reference); return err },
			"Cancel": func() error { _, err := t.Gateway.Cancel(ctx, p.Reference); return err },
			"Forget": func() error { return t.Gateway.Forget(ctx, p.Method.Ref) },
		}
		customer := newCustomer()
		if ref, err := t.Gateway.SaveCustomer(t.Context(), customer); err == nil && ref != customer.ID {
			requests["SaveCustomer"] = func() error { _, err := t.Gateway.SaveCustomer(ctx, newCustomer()); return err }
		}
		if c.Has(gateway.Refunds) {
			requests["Refund"] = func() error {
				_, err := t.Gateway.Refund(ctx, gateway.RefundOrder{Key: newKey(), PaymentRef: p.Ref, Amount: price})
				return err
			}
		}
		if c.Has(gateway.Polling) {
			requests["ListChanges"] = func() error { _, _, err := t.Gateway.ListChanges(ctx, ""); return err }
		}
		for name, request := range requests {
			assert.Equal(t, fault.Unavailable, fault.CodeOf(request()), name)
		}
		t.assertCharged(customerRef, price)
	}},
}
