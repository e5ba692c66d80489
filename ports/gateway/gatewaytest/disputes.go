package gatewaytest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

var disputeBehaviours = []behaviour{
	{name: "a payment of which a part is disputed stays paid", needs: gateway.Disputes, check: func(t *env) {
		customerRef := t.saveCustomer()
		p := t.payAndSettle(customerRef, Pays)
		assert.Empty(t, p.Disputes)
		d := t.disputeOf(t.dispute(p, 10_00), 0)
		assert.Equal(t, aud(10_00), d.Amount)
		assert.Equal(t, billing.DisputeOpen, d.Status)
		assert.Zero(t, d.DecidedAt)
		p = t.find(p.Ref)
		assert.Empty(t, p.Refunds, "a dispute is no refund")
		assert.Equal(t, price, p.Amount)
		t.assertCharged(customerRef, price)
	}},
	{name: "a decided dispute keeps its reference and amount", needs: gateway.Disputes, check: func(t *env) {
		for status, won := range map[billing.DisputeStatus]bool{billing.DisputeWon: true, billing.DisputeLost: false} {
			p := t.payAndSettle(t.saveCustomer(), Pays)
			opened := t.disputeOf(t.dispute(p, price.Minor()), 0)
			decided := t.disputeOf(t.closeDispute(p, won), 0)
			assert.Equal(t, opened.Ref, decided.Ref)
			assert.Equal(t, price, decided.Amount)
			assert.Equal(t, status, decided.Status)
		}
	}},
	{name: "another dispute of a payment has a reference of its own", needs: gateway.Disputes, check: func(t *env) {
		p := t.payAndSettle(t.saveCustomer(), Pays)
		t.dispute(p, price.Minor())
		first := t.disputeOf(t.closeDispute(p, true), 0)
		p = t.dispute(p, 10_00)
		second := t.disputeOf(p, 1)
		assert.NotEqual(t, first.Ref, second.Ref)
		assert.Equal(t, first, p.Disputes[0], "the first dispute stays won")
		assert.Equal(t, billing.DisputeOpen, second.Status)
		assert.Equal(t, aud(10_00), second.Amount)
	}},
	{name: "a refund of a disputed amount returns Conflict", needs: gateway.Disputes, check: func(t *env) {
		t.skipWithout(gateway.Refunds)
		p := t.payAndSettle(t.saveCustomer(), Pays)
		t.dispute(p, 10_00)
		_, err := t.Gateway.Refund(t.Context(), newRefund(p, aud(29_01)))
		t.assertFault(err, fault.Conflict)
		t.closeDispute(p, false)
		_, err = t.Gateway.Refund(t.Context(), newRefund(p, aud(29_01)))
		t.assertFault(err, fault.Conflict)
		t.refund(newRefund(p, aud(29_00)))
	}},
	{name: "the amount of a dispute that was won can be refunded", needs: gateway.Disputes, check: func(t *env) {
		t.skipWithout(gateway.Refunds)
		p := t.payAndSettle(t.saveCustomer(), Pays)
		t.dispute(p, 10_00)
		t.closeDispute(p, true)
		t.refund(newRefund(p, price))
	}},
	{name: "a dispute and its decision are delivered", needs: gateway.Disputes, check: func(t *env) {
		t.skipWithout(gateway.Webhooks)
		p := t.payAndSettle(t.saveCustomer(), Pays)
		t.waitForDelivery(p, func() { t.dispute(p, 10_00) })
		t.waitForDelivery(p, func() { t.closeDispute(p, true) })
	}},
	{name: "ListChanges returns a payment whose dispute is opened or decided", needs: gateway.Disputes, check: func(t *env) {
		t.skipWithout(gateway.Polling)
		p := t.payAndSettle(t.saveCustomer(), Pays)
		_, cursor := t.poll("")
		t.dispute(p, 10_00)
		cursor = t.assertInChanges(p, cursor)
		t.closeDispute(p, true)
		t.assertInChanges(p, cursor)
	}},
}

// dispute disputes an amount of the payment in minor units, and returns the payment.
func (t *env) dispute(p gateway.Payment, minor int64) gateway.Payment {
	t.Helper()
	t.skipWithoutFunction("Dispute")
	t.Dispute(t.T, p.Ref, aud(minor))
	return t.find(p.Ref)
}

// closeDispute decides the open dispute of the payment, and returns the payment.
func (t *env) closeDispute(p gateway.Payment, won bool) gateway.Payment {
	t.Helper()
	t.skipWithoutFunction("CloseDispute")
	t.CloseDispute(t.T, p.Ref, won)
	return t.find(p.Ref)
}

// disputeOf returns the dispute with the index, which is the last one. It asserts what holds for every disputed payment.
func (t *env) disputeOf(p gateway.Payment, index int) gateway.Dispute {
	t.Helper()
	assert.Equal(t, gateway.Paid, p.State)
	require.Len(t, p.Disputes, index+1)
	d := p.Disputes[index]
	assert.NotEmpty(t, d.Ref)
	for _, at := range []time.Time{d.OpenedAt, d.DecidedAt} {
		assert.False(t, at.After(t.Now()))
		assert.Equal(t, time.UTC, at.Location())
	}
	return d
}
