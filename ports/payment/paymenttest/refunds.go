package paymenttest

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var refundBehaviours = []behaviour{
	{name: "a refund leaves the invoice paid and the subscription unchanged", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		paidInvoice := t.onlyInvoice(s.CustomerID)

		inv, err := t.refund(s, 100)

		require.NoError(t, err)
		assert.Equal(t, paidInvoice.ID, inv.ID)
		assert.Equal(t, billing.InvoicePaid, inv.Status)
		assert.Equal(t, paidInvoice.AmountPaid, inv.AmountPaid)
		assert.Equal(t, aud(100), inv.Refunded)
		refundedSub := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, billing.NoHold, refundedSub.Hold)
		t.assertUnchanged(s, refundedSub)
		assert.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor())
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{Amount: aud(100), Withdrawn: aud(0), Spent: aud(0)})
	}},
	{name: "the list of invoices contains the sum of the refunds", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		otherSub := t.subscribe(t.payingCustomer().ID, 0)
		for _, amount := range []int64{100, 250} {
			_, err := t.refund(s, amount)
			require.NoError(t, err)
		}
		inv := t.onlyInvoice(s.CustomerID)
		assert.Equal(t, aud(350), inv.Refunded)
		assert.Equal(t, inv.AmountDue, inv.AmountPaid, "the amount paid includes the refunds")
		assert.Zero(t, inv.AmountRemaining().Minor())
		assert.Zero(t, t.onlyInvoice(otherSub.CustomerID).Refunded.Minor(), "another customer's invoice")
	}},
	{name: "the plan can be changed after a refund", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		_, err := t.refund(s, 100)
		require.NoError(t, err)
		t.mustChangePlan(s, professional)
	}},
	{name: "refunds that exceed the payment return Conflict", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		paidAmount := s.LatestInvoice.AmountDue.Minor()
		_, err := t.refund(s, paidAmount+1)
		t.assertFault(err, fault.Conflict)
		assert.Empty(t, t.returnedPayments(s.CustomerID))
		_, err = t.refund(s, paidAmount-100)
		require.NoError(t, err)
		_, err = t.refund(s, 101)
		t.assertFault(err, fault.Conflict)
		_, err = t.refund(s, 100)
		require.NoError(t, err)
		_, err = t.refund(s, 1)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "a refund of an unpaid invoice returns Conflict", needs: payment.Refunds, check: func(t *env) {
		s := t.unpaidSubscription()
		_, err := t.refund(s, 1)
		t.assertFault(err, fault.Conflict)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "a refund is withdrawn from the credit, which never becomes negative", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, 250)
		for _, want := range []int64{150, 50, 0} {
			_, err := t.refund(s, 100)
			require.NoError(t, err)
			assert.Equal(t, want, t.readCustomer(s.CustomerID).Credit.Minor())
		}
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{Amount: aud(300), Withdrawn: aud(250), Spent: aud(0)})
	}},
	{name: "a refund reports credit that was spent before", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribeMonthly()
		amount := s.LatestInvoice.AmountDue.Minor()
		t.addCredit(s.CustomerID, amount+100)
		t.renew(s)

		_, err := t.refund(s, amount)

		require.NoError(t, err)
		assert.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor())
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{
			Amount: aud(amount), Withdrawn: aud(100), Spent: aud(amount - 100),
		})
	}},
	{name: "credit that a voided invoice gives back is withdrawn for an earlier refund", needs: payment.Refunds,
		check: func(t *env) {
			t.skipWithout(payment.ChangeNow)
			s := t.subscribe(t.payingCustomer().ID, 0)
			t.addCredit(s.CustomerID, 1000)
			s = t.startPendingChange(s)
			require.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor(), "the invoice of the change uses the credit")
			paidInvoice := t.listInvoices(s.CustomerID)[1]
			_, err := t.Provider.Refund(t.Context(), payment.RefundRequest{
				Key: newKey(), InvoiceID: paidInvoice.ID, Amount: aud(700),
			})
			require.NoError(t, err)

			_, err = t.cancelPendingChange(s)

			require.NoError(t, err)
			assert.Equal(t, int64(300), t.readCustomer(s.CustomerID).Credit.Minor())
			t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{Amount: aud(700), Withdrawn: aud(700), Spent: aud(0)})
		}},
}

var disputeBehaviours = []behaviour{
	{name: "a disputed payment is withdrawn from the credit and the rest is held", needs: Disputes,
		check: func(t *env) {
			s := t.subscribeMonthly()
			amount := s.LatestInvoice.AmountDue.Minor()
			t.addCredit(s.CustomerID, amount+500)

			t.dispute(s)

			c := t.readCustomer(s.CustomerID)
			assert.Equal(t, []int64{0, 500}, []int64{c.Credit.Minor(), c.HeldCredit.Minor()})
			t.assertReturnedPayment(c.ID, billing.ReturnedPayment{
				Dispute: billing.DisputeOpen, Amount: aud(amount), Withdrawn: aud(amount), Spent: aud(0),
			})
			renewedSub := t.renew(s)
			assert.Equal(t, billing.Active, renewedSub.Status)
			assert.Equal(t, amount, renewedSub.LatestInvoice.AmountDue.Minor(), "credit does not pay the renewal")
			assert.Equal(t, int64(500), t.liftHold(c.ID).Credit.Minor())
		}},
	{name: "a dispute that is won ends the hold and gives the credit back", needs: Disputes, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, 300)
		t.dispute(s)

		t.CloseDispute(t.T, s.LatestInvoice.ID, true)

		c := t.readCustomer(s.CustomerID)
		assert.Equal(t, billing.NoHold, c.Hold)
		assert.Equal(t, []int64{300, 0}, []int64{c.Credit.Minor(), c.HeldCredit.Minor()})
		t.assertReturnedPayment(c.ID, billing.ReturnedPayment{
			Dispute: billing.DisputeWon, Amount: aud(0), Withdrawn: aud(0), Spent: aud(0),
		})
	}},
	{name: "a dispute that is won after the hold was lifted gives the credit back", needs: Disputes,
		check: func(t *env) {
			s := t.subscribe(t.payingCustomer().ID, 0)
			t.addCredit(s.CustomerID, 300)
			t.dispute(s)
			t.liftHold(s.CustomerID)
			t.CloseDispute(t.T, s.LatestInvoice.ID, true)
			c := t.readCustomer(s.CustomerID)
			assert.Equal(t, billing.NoHold, c.Hold)
			assert.Equal(t, int64(300), c.Credit.Minor())
		}},
	{name: "losing a dispute does not change the credit again", needs: Disputes, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, 300)
		t.dispute(s)
		customer := t.readCustomer(s.CustomerID)
		t.CloseDispute(t.T, s.LatestInvoice.ID, false)
		assert.Equal(t, customer, t.readCustomer(s.CustomerID))
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{
			Dispute: billing.DisputeLost, Amount: s.LatestInvoice.AmountDue, Withdrawn: aud(300), Spent: aud(0),
		})
	}},
	{name: "a refunded part is not withdrawn twice", needs: Disputes, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		paidAmount := s.LatestInvoice.AmountDue.Minor()
		_, err := t.refund(s, 1000)
		require.NoError(t, err)
		t.addCredit(s.CustomerID, paidAmount)
		t.dispute(s)
		c := t.readCustomer(s.CustomerID)
		assert.Equal(t, []int64{0, 1000}, []int64{c.Credit.Minor(), c.HeldCredit.Minor()})
		assert.Len(t, t.returnedPayments(c.ID), 2, "the refund and the dispute")
		_, err = t.refund(s, 1)
		t.assertFault(err, fault.Conflict)
		t.CloseDispute(t.T, s.LatestInvoice.ID, true)
		assert.Equal(t, paidAmount, t.readCustomer(c.ID).Credit.Minor())
	}},
}

// refund refunds a part of the subscription's latest invoice.
func (t *env) refund(s billing.Subscription, minor int64) (billing.Invoice, error) {
	t.Helper()
	t.skipWithout(payment.Refunds)
	return t.Provider.Refund(t.Context(), payment.RefundRequest{
		Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: aud(minor),
	})
}

// dispute disputes the payment of the subscription's latest invoice.
func (t *env) dispute(s billing.Subscription) {
	t.Helper()
	t.skipWithout(Disputes)
	t.Dispute(t.T, s.LatestInvoice.ID)
}

// returnedPayments returns the customer's payments that were refunded or disputed.
func (t *env) returnedPayments(customerID string) []billing.ReturnedPayment {
	t.Helper()
	payments, err := t.Provider.ReturnedPayments(t.Context(), customerID)
	require.NoError(t, err)
	return payments
}

// assertReturnedPayment asserts that the provider reports one returned payment of the customer. It ignores Payment and At of
// want.
func (t *env) assertReturnedPayment(customerID string, want billing.ReturnedPayment) {
	t.Helper()
	payments := t.returnedPayments(customerID)
	require.Len(t, payments, 1)
	isPaidInvoice := func(inv billing.Invoice) bool { return inv.Number == payments[0].Payment }
	assert.True(t, slices.ContainsFunc(t.listInvoices(customerID), isPaidInvoice),
		"%s should be the number of an invoice", payments[0].Payment)
	assert.False(t, payments[0].At.IsZero())
	want.Payment, want.At = payments[0].Payment, payments[0].At
	assert.Equal(t, want, payments[0])
}
