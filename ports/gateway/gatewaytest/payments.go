package gatewaytest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
)

var cancelBehaviours = []behaviour{
	{name: "an open payment that can't be canceled expires", check: func(t *env) {
		if t.Missing["Cancel"] == "" {
			t.Skip("open payments can be canceled")
		}
		customerRef, p := t.startOpenPayment()
		_, err := t.Gateway.Cancel(t.Context(), p.Reference)
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, gateway.Open, t.find(p.Ref).State)
		require.NotZero(t, p.ExpiresAt)
		t.Advance(t.T, p.ExpiresAt.Sub(t.Now()))
		assert.Equal(t, gateway.Canceled, t.find(p.Ref).State)
		t.assertCharged(customerRef)
	}},
	{name: "an open payment is canceled", check: func(t *env) {
		t.skipWithoutFunction("Cancel")
		customerRef, p := t.startOpenPayment()
		for range 2 {
			response, err := t.Gateway.Cancel(t.Context(), p.Reference)
			require.NoError(t, err)
			assert.Equal(t, gateway.Canceled, response.State)
			assert.Empty(t, response.URL)
			assert.Empty(t, response.Secret)
			assert.Equal(t, response.State, t.find(p.Ref).State)
		}
		t.assertCharged(customerRef)
	}},
	{name: "Cancel finds a payment by its key", check: func(t *env) {
		t.skipWithoutFunction("Cancel")
		customerRef, p := t.startOpenPayment()
		response, err := t.Gateway.Cancel(t.Context(), gateway.Reference{Key: p.Key, CustomerRef: customerRef})
		require.NoError(t, err)
		assert.Equal(t, p.Reference, response.Reference)
		assert.Equal(t, gateway.Canceled, response.State)
	}},
	{name: "Cancel returns a paid payment unchanged", check: func(t *env) {
		p := t.payAndSettle(t.saveCustomer(), Pays)
		response, err := t.Gateway.Cancel(t.Context(), p.Reference)
		require.NoError(t, err)
		assert.Equal(t, p, response)
	}},
	{name: "a cancellation of a processing payment succeeds or returns Conflict", check: func(t *env) {
		customerRef := t.saveCustomer()
		t.cancelProcessing(customerRef, t.pay(customerRef, Pays, price), 0)
	}},
	{name: "a cancellation of a processing renewal succeeds or returns Conflict", needs: gateway.OffSession, check: func(t *env) {
		customerRef := t.saveCustomer()
		methodRef := t.payAndSettle(customerRef, Pays).Method.Ref
		t.cancelProcessing(customerRef, t.renew(customerRef, methodRef), 0, price)
	}},
	{name: "a cancellation of a renewal that the bank has received succeeds or returns Conflict", needs: gateway.OffSession,
		check: func(t *env) {
			customerRef := t.saveCustomer()
			methodRef := t.payAndSettle(customerRef, Pays).Method.Ref
			halfway := t.Gateway.Capabilities().Settlement / 2
			t.cancelProcessing(customerRef, t.renew(customerRef, methodRef), halfway, price)
		}},
	{name: "a payment that is completed during its cancellation is either paid or canceled", check: func(t *env) {
		customerRef, p := t.startOpenPayment()
		var wg sync.WaitGroup
		wg.Go(func() { t.completeIfOpen(p, Pays) })
		response, err := t.Gateway.Cancel(t.Context(), p.Reference)
		wg.Wait()
		p = t.settle(p)
		if err == nil && response.State == gateway.Canceled {
			assert.Equal(t, gateway.Canceled, p.State)
			t.assertCharged(customerRef)
			return
		}
		if err != nil {
			t.assertFault(err, fault.Conflict)
		}
		assert.Equal(t, gateway.Paid, p.State)
		t.assertCharged(customerRef, price)
	}},
}

// cancelProcessing cancels the processing payment after a delay. It asserts that the payment is canceled and not debited,
// or that the cancellation is refused and the payment is debited. otherDebits are further debits of the customer.
func (t *env) cancelProcessing(customerRef string, p gateway.Payment, delay time.Duration, otherDebits ...money.Amount) {
	t.Helper()
	if delay > 0 {
		t.Advance(t.T, delay)
		p = t.find(p.Ref)
	}
	if p.State != gateway.Processing {
		t.Skip("the payment has settled")
	}
	response, err := t.Gateway.Cancel(t.Context(), p.Reference)
	p = t.settle(p)
	if err != nil {
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, gateway.Paid, p.State)
		t.assertCharged(customerRef, append(otherDebits, price)...)
		return
	}
	assert.Equal(t, response.State, p.State)
	if response.State == gateway.Canceled {
		t.assertCharged(customerRef, otherDebits...)
		return
	}
	assert.Equal(t, gateway.Paid, response.State)
	t.assertCharged(customerRef, append(otherDebits, price)...)
}

// startOpenPayment starts a payment that is open until the customer acts.
func (t *env) startOpenPayment() (customerRef string, p gateway.Payment) {
	t.Helper()
	t.skipWithoutOpenPayments()
	customerRef = t.saveCustomer()
	p = t.start(t.newOpenOrder(customerRef))
	require.Equal(t, gateway.Open, p.State)
	return customerRef, p
}

var settlementBehaviours = []behaviour{
	{name: "a payment is paid within the settlement time", check: func(t *env) {
		c := t.Gateway.Capabilities()
		customerRef := t.saveCustomer()
		p := t.pay(customerRef, Pays, price)
		t.assertAccepted(p)
		settlement := c.Settlement
		if p.Method != nil {
			if d, ok := c.SettlementByKind[p.Method.Details.Kind]; ok {
				settlement = d
			}
		}
		if !p.ExpectedBy.IsZero() {
			assert.WithinRange(t, p.ExpectedBy, t.Now(), t.Now().Add(settlement))
			assert.Equal(t, time.UTC, p.ExpectedBy.Location())
		}
		t.assertCharged(customerRef, price)
		if settlement > 0 {
			t.Advance(t.T, settlement)
			p = t.find(p.Ref)
		}
		assert.Equal(t, gateway.Paid, p.State, "the state after %s, the settlement time of the method", settlement)
		assert.Empty(t, p.Reason)
		assert.Zero(t, p.ExpectedBy)
		t.assertCharged(customerRef, price)
	}},
	{name: "a processing payment that the bank refuses fails with a reason", check: func(t *env) {
		customerRef := t.saveCustomer()
		p := t.pay(customerRef, FailsLate, price)
		assert.Equal(t, gateway.Processing, p.State)
		p = t.settle(p)
		assert.Equal(t, gateway.Failed, p.State)
		assert.NotEmpty(t, p.Reason)
		t.assertCharged(customerRef)
	}},
	{name: "a payment that the bank returns is Returned and can't be refunded", check: func(t *env) {
		p := t.payAndSettle(t.saveCustomer(), ReturnsLate)
		t.Advance(t.T, t.Gateway.Capabilities().ReturnWindow)
		p = t.find(p.Ref)
		assert.Equal(t, gateway.Returned, p.State, "the money had arrived, also if the provider calls it failed")
		assert.NotEmpty(t, p.Reason)
		assert.Equal(t, price, p.Amount)
		t.skipWithout(gateway.Refunds)
		_, err := t.Gateway.Refund(t.Context(), newRefund(p, price))
		t.assertFault(err, fault.Conflict)
	}},
	{name: "a payment of which the bank returns a part stays paid, and the part is a refund", check: func(t *env) {
		if t.Gateway.Capabilities().ReturnWindow == 0 {
			t.Skip("no bank returns payments")
		}
		t.skipWithoutFunction("ReturnPart")
		p := t.payAndSettle(t.saveCustomer(), Pays)
		t.ReturnPart(t.T, p.Ref, aud(10_00))
		p = t.find(p.Ref)
		assert.Equal(t, gateway.Paid, p.State)
		require.Len(t, p.Refunds, 1)
		assert.Empty(t, p.Refunds[0].Key)
		assert.NotEmpty(t, p.Refunds[0].Ref)
		assert.Equal(t, aud(10_00), p.Refunds[0].Amount)
	}},
}

var refundBehaviours = []behaviour{
	{name: "a payment that is refunded in two parts stays paid", needs: gateway.Refunds, check: func(t *env) {
		p := t.payAndSettle(t.saveCustomer(), Pays)
		for _, part := range []int64{10_00, 29_00} {
			t.refund(newRefund(p, aud(part)))
		}
		p = t.settleRefunds(p)
		assert.Equal(t, gateway.Paid, p.State)
		require.Len(t, p.Refunds, 2)
		for _, r := range p.Refunds {
			assert.Equal(t, gateway.Paid, r.State)
		}
	}},
	{name: "a refund of more than was paid returns Conflict", needs: gateway.Refunds, check: func(t *env) {
		p := t.payAndSettle(t.saveCustomer(), Pays)
		_, err := t.Gateway.Refund(t.Context(), newRefund(p, aud(39_01)))
		t.assertFault(err, fault.Conflict)
		t.refund(newRefund(p, aud(30_00)))
		_, err = t.Gateway.Refund(t.Context(), newRefund(p, aud(10_00)))
		t.assertFault(err, fault.Conflict)
		assert.Len(t, t.find(p.Ref).Refunds, 1)
	}},
	{name: "a refund of a payment that is not paid returns Conflict", needs: gateway.Refunds, check: func(t *env) {
		_, err := t.Gateway.Refund(t.Context(), newRefund(t.startUnpaid(), price)) // the Ref may be that of the page
		t.assertFault(err, fault.Conflict)
	}},
	{name: "a refund of an unknown payment is NotFound", needs: gateway.Refunds, check: func(t *env) {
		_, err := t.Gateway.Refund(t.Context(), gateway.RefundOrder{Key: newKey(), PaymentRef: "unknown", Amount: price})
		t.assertFault(err, fault.NotFound)
	}},
	{name: "a repeated refund is made once, and a different refund with the same key returns Conflict", needs: gateway.Refunds,
		check: func(t *env) {
			t.skipWithoutKeys()
			p := t.payAndSettle(t.saveCustomer(), Pays)
			o := newRefund(p, aud(10_00))
			first := t.refund(o)
			assert.Equal(t, first, t.refund(o))
			differentOrder := o
			differentOrder.Amount = aud(11_00)
			_, err := t.Gateway.Refund(t.Context(), differentOrder)
			t.assertFault(err, fault.Conflict)
			p = t.settleRefunds(p)
			if t.remembersKeysAfterSettlement() {
				assert.Equal(t, []gateway.Refund{t.refund(o)}, p.Refunds)
			}
			assert.Len(t, p.Refunds, 1)
		}},
	{name: "Find returns a refund that an operator made by hand", needs: gateway.Refunds, check: func(t *env) {
		t.skipWithoutFunction("RefundByHand")
		p := t.payAndSettle(t.saveCustomer(), Pays)
		t.RefundByHand(t.T, p.Ref, aud(10_00))
		refunds := t.find(p.Ref).Refunds
		require.Len(t, refunds, 1)
		assert.Empty(t, refunds[0].Key)
		assert.NotEmpty(t, refunds[0].Ref)
		assert.Equal(t, aud(10_00), refunds[0].Amount)
	}},
	{name: "each refund by hand has a reference of its own, whose amount does not change", needs: gateway.Refunds, check: func(t *env) {
		t.skipWithoutFunction("RefundByHand")
		p := t.payAndSettle(t.saveCustomer(), Pays)
		var want []money.Amount
		var first gateway.Refund
		for i, part := range []int64{10_00, 10_00, 5_00} {
			t.RefundByHand(t.T, p.Ref, aud(part))
			want = append(want, aud(part))
			refunds := t.find(p.Ref).Refunds
			var amounts []money.Amount
			refs := map[string]gateway.Refund{}
			for _, r := range refunds {
				amounts, refs[r.Ref] = append(amounts, r.Amount), r
			}
			if i == 0 {
				require.Len(t, refunds, 1)
				first = refunds[0]
			}
			assert.ElementsMatch(t, want, amounts)
			assert.Len(t, refs, len(want), "references of the refunds")
			assert.Equal(t, first.Amount, refs[first.Ref].Amount)
		}
	}},
	{name: "Find returns each of many refunds", needs: gateway.Refunds, check: func(t *env) {
		t.skipWithoutFunction("RefundByHand")
		p := t.payAndSettle(t.saveCustomer(), Pays)
		for range manyRefunds {
			t.RefundByHand(t.T, p.Ref, aud(35))
		}
		assert.Len(t, t.find(p.Ref).Refunds, manyRefunds)
	}},
	{name: "a payment can be refunded again after a refund has failed", needs: gateway.Refunds, check: func(t *env) {
		p := t.payAndSettle(t.saveCustomer(), FailsRefunds)
		r := t.refund(newRefund(p, price))
		assert.NotEqual(t, gateway.Paid, r.State, "a refund that can still fail is Processing")
		for _, r := range t.find(p.Ref).Refunds {
			assert.NotEqual(t, gateway.Paid, r.State, "a refund that can still fail is Processing")
		}
		p = t.settleRefunds(p)
		require.Len(t, p.Refunds, 1)
		assert.Equal(t, gateway.Failed, p.Refunds[0].State)
		assert.Equal(t, gateway.Paid, p.State)
		t.refund(newRefund(p, price))
		assert.Len(t, t.find(p.Ref).Refunds, 2)
	}},
}

// startUnpaid starts a payment that is open, or is declined if the gateway has no open payments.
func (t *env) startUnpaid() gateway.Payment {
	t.Helper()
	if t.opensPayments() {
		_, p := t.startOpenPayment()
		return p
	}
	customerRef := t.saveCustomer()
	p := t.settle(t.renew(customerRef, t.saveMethod(customerRef, Declines)))
	require.Equal(t, gateway.Failed, p.State)
	return p
}

// manyRefunds exceeds the length of a page in the lists of most providers.
const manyRefunds = 110

// newRefund returns an order to refund the amount of a payment, with a new key.
func newRefund(p gateway.Payment, amount money.Amount) gateway.RefundOrder {
	return gateway.RefundOrder{Key: newKey(), PaymentRef: p.Ref, Amount: amount}
}

// refund sends the order of a refund and asserts the fields that every refund has.
func (t *env) refund(o gateway.RefundOrder) gateway.Refund {
	t.Helper()
	r, err := t.Gateway.Refund(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, o.Key, r.Key)
	assert.NotEmpty(t, r.Ref)
	assert.Equal(t, o.Amount, r.Amount)
	assert.Contains(t, []gateway.State{gateway.Processing, gateway.Paid, gateway.Failed}, r.State)
	return r
}
