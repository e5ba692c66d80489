package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var refundedPlanBehaviours = []behaviour{
	{name: "a plan that was refunded in full has no value in a change", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.mustRefund(s, s.LatestInvoice.AmountDue.Minor())

		inv := t.changeAsQuoted(s, professional)

		assert.Equal(t, unusedSum(inv), returnedLineSum(inv), "nothing of the refunded plan is deducted from the new price")
	}},
	{name: "a plan that was refunded by half has half its value in a change", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		half := s.LatestInvoice.AmountDue.Minor() / 2
		t.mustRefund(s, half)

		inv := t.changeAsQuoted(s, professional)

		t.assertDeducted(inv, half, t.priceOf(standard))
	}},
	{name: "a refund is deducted in proportion to the unused time", needs: ClockControl, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.mustRefund(s, s.LatestInvoice.AmountDue.Minor()/2)
		t.advance(100 * day)

		inv := t.changeAsQuoted(s, professional)

		require.Less(t, unusedSum(inv), s.LatestInvoice.AmountDue.Minor()*3/4)
		t.assertDeducted(inv, s.LatestInvoice.AmountDue.Minor()/2, t.priceOf(standard))
	}},
	{name: "a refund is deducted from one change only", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribeMonthly()
		t.mustRefund(s, s.LatestInvoice.AmountDue.Minor())
		require.Positive(t, returnedLineSum(t.changeAsQuoted(s, standard)))

		inv := t.changeAsQuoted(t.readSubscription(s.ID, billing.Active), professional)

		assert.Zero(t, returnedLineSum(inv))
	}},
	{name: "a refund of a change is deducted from the next change", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribeMonthly()
		change := t.changeAsQuoted(s, standard)
		s = t.readSubscription(s.ID, billing.Active)
		t.mustRefund(s, change.AmountPaid.Minor())

		inv := t.changeAsQuoted(s, professional)

		t.assertDeducted(inv, change.AmountPaid.Minor(), t.priceOf(standard))
	}},
	{name: "a refund that is withdrawn from credit is not deducted again", needs: payment.CustomerCredit, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, 1000)
		t.mustRefund(s, 1500)

		t.assertDeducted(t.changeAsQuoted(s, professional), 500, t.priceOf(standard))
	}},
	{name: "a refund is deducted again after a change that was canceled", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.mustRefund(s, 500)
		_, err := t.cancelPendingChange(t.startPendingChange(s))
		require.NoError(t, err)

		inv := t.changeAsQuoted(s, professional)

		t.assertDeducted(inv, 500, t.priceOf(standard))
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{
			Amount: aud(500), Withdrawn: aud(returnedLineSum(inv)), Spent: aud(0),
		})
	}},
	{name: "a pending change deducts a refund when it is paid", needs: onlinePayment, check: func(t *env) {
		t.skipWithout(payment.Quoting, payment.ChangeNow, payment.Refunds)
		s := t.subscribeMonthly()
		t.mustRefund(s, s.LatestInvoice.AmountDue.Minor())
		s = t.startPendingChange(s)
		pendingInvoice := t.invoice(s.CustomerID, s.LatestInvoice.ID)
		require.Equal(t, unusedSum(pendingInvoice), returnedLineSum(pendingInvoice))
		changedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		changedSub = t.completePayment(changedSub)
		require.Equal(t, professional, changedSub.Price)

		q, _ := t.quoteChange(changedSub, professionalMonthly)

		assert.Zero(t, returnedLineSum(billing.Invoice{Lines: q.Lines}), "the refund is not deducted again")
	}},
	{name: "a cheaper plan creates no credit from refunded money", needs: payment.CheaperChangeNow, check: func(t *env) {
		t.skipWithout(payment.Refunds)
		s := t.completePayment(t.startSubscription(t.payingCustomer().ID, professional, 0))
		t.mustRefund(s, 10000)

		inv := t.changeAsQuoted(s, standard)

		t.assertDeducted(inv, 10000, t.priceOf(professional))
		assert.Equal(t, -inv.Total.Minor(), t.readCustomer(s.CustomerID).Credit.Minor())
	}},
	{name: "a disputed payment has no value in a change, and is credited when the dispute is won", needs: Disputes,
		check: func(t *env) {
			s := t.subscribe(t.payingCustomer().ID, 0)
			t.dispute(s)
			t.liftHold(s.CustomerID)
			inv := t.changeAsQuoted(t.readSubscription(s.ID, billing.Active), professional)
			assert.Equal(t, unusedSum(inv), returnedLineSum(inv))

			t.CloseDispute(t.T, s.LatestInvoice.ID, true)

			assert.Equal(t, returnedLineSum(inv), t.readCustomer(s.CustomerID).Credit.Minor())
		}},
}

// mustRefund refunds a part of the subscription's latest invoice.
func (t *env) mustRefund(s billing.Subscription, minor int64) {
	t.Helper()
	_, err := t.refund(s, minor)
	require.NoError(t, err)
}

// changeAsQuoted changes the plan as quoted, and returns the invoice of the change.
func (t *env) changeAsQuoted(s billing.Subscription, to catalogue.PriceRef) billing.Invoice {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	q, req := t.quoteChange(s, to)
	req.At, req.Quoted = q.At, billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
	changedSub := t.mustSendChange(req)
	t.assertChargedAsQuoted(q, changedSub)
	return t.invoice(s.CustomerID, changedSub.LatestInvoice.ID)
}

// returnedLineSum returns the amount that the invoice of a change deducts from unused time because of returned payments.
func returnedLineSum(inv billing.Invoice) (sum int64) {
	for _, line := range inv.Lines {
		if isReturnedLine(line) {
			sum += line.Amount.Minor()
		}
	}
	return sum
}

// unusedSum returns the amount that the invoice of a change credits for unused time.
func unusedSum(inv billing.Invoice) (sum int64) {
	for _, line := range inv.Lines {
		sum -= min(line.Amount.Minor(), 0)
	}
	return sum
}

// assertDeducted asserts that the invoice of a change deducts the part of a returned amount that belongs to the unused
// time of a period with the price.
func (t *env) assertDeducted(inv billing.Invoice, returned int64, price money.Amount) {
	t.Helper()
	require.Positive(t, returnedLineSum(inv))
	assert.InDelta(t, float64(returned)*float64(unusedSum(inv))/float64(price.Minor()), returnedLineSum(inv), 1)
}
