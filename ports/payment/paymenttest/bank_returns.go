package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

// bankReturnBehaviours are about payments that arrive and that the bank then takes back. Like processingBehaviours,
// they run without newSettlingHarness.
var bankReturnBehaviours = []behaviour{
	{name: "a returned payment opens its invoice again without a retry", needs: InvoiceReopening, check: func(t *env) {
		s := t.subscriptionWithReturnedPayment()
		assert.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
		assert.Equal(t, s.LatestInvoice.AmountDue, s.LatestInvoice.AmountRemaining())
		assert.Zero(t, s.LatestInvoice.NextAttemptAt)
		t.assertNeedsPayment(s)
		assert.NotEmpty(t, s.Next.Reason)
		inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
		assert.Equal(t, inv.AmountDue, inv.Returned)
		assert.Zero(t, inv.AmountPaid.Minor())
		t.saveMethod(s.CustomerID, Pays)
		t.advance(7 * day)
		assert.Equal(t, s.LatestInvoice, t.readSubscription(s.ID, billing.PastDue).LatestInvoice, "the payment is not retried")
	}},
	{name: "an invoice can be paid again after its payment was returned", needs: InvoiceReopening, check: func(t *env) {
		s := t.subscriptionWithReturnedPayment()
		t.payAndSettle(s)
		paidSub := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, s.CurrentPeriodEnd, paidSub.CurrentPeriodEnd)
		t.assertPaid(paidSub)
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a payment that the bank returns is a movement before the second payment", needs: InvoiceReopening, check: func(t *env) {
		s := t.subscriptionWithReturnedPayment()
		due := s.LatestInvoice.AmountDue.Minor()
		returned := []movement{{billing.MovementPayment, -due}, {billing.MovementBankReturn, due}}
		t.assertMovements(s, returned)
		t.payAndSettle(s)
		t.assertMovements(s, append(returned, movement{billing.MovementPayment, -due}))
	}},
	{name: "a subscription ends when its returned payment is not made again", needs: InvoiceReopening, check: func(t *env) {
		s := t.subscriptionWithReturnedPayment()
		require.False(t, s.UnpaidEndsAt.IsZero())
		t.advanceTo(s.UnpaidEndsAt.Add(2 * time.Hour))
		endedSub := t.refresh(s)
		assert.True(t, endedSub.Status.Ended(), endedSub.Status)
		t.assertChargedSum(s.CustomerID, 0)
	}},
	{name: "a returned payment is a lost dispute if its invoice stays paid", needs: slowPayments, check: func(t *env) {
		if _, missing := t.missingReason(InvoiceReopening); !missing {
			t.Skip("the provider opens the invoice again")
		}
		s := t.startSubscriptionWithMethod(ReturnsLate)
		t.settle()
		amount := s.LatestInvoice.AmountDue
		t.addCredit(s.CustomerID, amount.Minor()+500)

		t.advanceUntilReturned(func() bool { return t.readCustomer(s.CustomerID).Hold == billing.HoldDisputed })

		subOnHold := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, billing.HoldDisputed, subOnHold.Hold)
		assert.Equal(t, billing.InvoicePaid, subOnHold.LatestInvoice.Status)
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{
			Dispute: billing.DisputeLost, Amount: amount, Withdrawn: amount, Spent: aud(0),
		})
		assert.Equal(t, int64(500), t.liftHold(s.CustomerID).Credit.Minor())
	}},
}

// subscriptionWithReturnedPayment returns a subscription after its first payment arrived and was returned.
func (t *env) subscriptionWithReturnedPayment() billing.Subscription {
	t.Helper()
	s := t.startSubscriptionWithMethod(ReturnsLate)
	t.settle()
	t.readSubscription(s.ID, billing.Active)
	t.advanceUntilReturned(func() bool {
		s = t.refresh(s)
		return s.Status == billing.PastDue
	})
	return s
}

// advanceUntilReturned lets days pass until isReturned reports that the bank has returned a payment.
func (t *env) advanceUntilReturned(isReturned func() bool) {
	t.Helper()
	for range 60 {
		t.advance(day)
		if isReturned() {
			return
		}
	}
	t.Fatal("the bank has not returned the payment within 60 days")
}
