package fakepayment

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	// settlementTime is how long a payment from a bank account takes to arrive or to fail.
	settlementTime = 3 * day
	// returnTime is when a payment from the account that returns it goes back, after it was accepted.
	returnTime = 10 * day
)

// settleAccepted stores that the payment of the subscription's invoice is on its way.
func (t *tx) settleAccepted(pi intent, s subscription) {
	if s.Invoice == pi.Invoice {
		s.Subscription = s.Accepted()
		t.saveSubscription(s)
	}
	t.schedule.addPayment(pi)
	t.emit("payment_intent.processing", intentObject(pi))
}

// returnsAt returns when the customer's bank returns the payment; zero for most payments.
func (t *tx) returnsAt(pi intent) time.Time {
	if pi.AcceptedAt.IsZero() || pi.Status != billing.Succeeded || t.cards.rows[pi.Card].Behaviour != returnsLate {
		return time.Time{}
	}
	return pi.AcceptedAt.Add(returnTime)
}

// processPayment makes what is due at the time of a payment that takes days: it arrives, fails or is returned.
func (t *tx) processPayment(pi intent, at time.Time) {
	switch {
	case pi.Status == billing.Processing && pi.SettlesAt.Equal(at):
		pi.Status, pi.SettlesAt = billing.Succeeded, time.Time{}
		if t.cards.rows[pi.Card].Behaviour == failsLate {
			pi.Status, pi.Problem = billing.RequiresPaymentMethod, &noMoney
		}
		t.settle(pi)
		t.endIfGivenUp(t.subscriptions.rows[pi.Subscription])
		t.schedule.addReturn(pi.ID, t.returnsAt(pi))
	case t.returnsAt(pi).Equal(at):
		t.returnToBank(pi)
	}
}

// returnToBank returns a payment to the customer's bank. The latest invoice of an active subscription is owed again. The
// return of any other payment is a dispute that is lost at once, because credit for it may have been given since.
func (t *tx) returnToBank(pi intent) {
	inv, s := t.invoices.rows[pi.Invoice], t.subscriptions.rows[pi.Subscription]
	if s.Invoice != inv.ID || s.Status != billing.Active || inv.Refunded > 0 || inv.Disputed {
		t.loseDispute(inv)
		return
	}
	inv.Status, inv.PaidAt, inv.Returned = invoiceOpen, time.Time{}, inv.Returned+inv.Amount
	t.invoices.put(inv)
	pi.Status, pi.AcceptedAt, pi.Problem = billing.RequiresPaymentMethod, time.Time{}, &returnedDebit
	t.intents.put(pi)
	s.Subscription = s.PaymentReturned(t.now)
	t.saveSubscription(s)
	t.emit("invoice.payment_failed", invoiceObject(inv))
}

// loseDispute returns the payment of the invoice by a dispute that is lost. One that was refunded in full or is disputed
// stays as it is.
func (t *tx) loseDispute(inv invoice) {
	if inv.Disputed || inv.paid() == inv.Refunded {
		return
	}
	if _, err := t.openDispute(inv.ID); err != nil {
		return // nothing was paid
	}
	t.stopPurchases(inv.Customer)
	t.hold(inv.Customer)
	if _, err := t.endDispute(inv.ID, false); err == nil {
		t.settleReturned(inv.ID)
	}
}

// isProcessing reports whether the payment of the invoice is on its way.
func (t *tx) isProcessing(invoiceID string) bool {
	return t.intents.rows[t.invoices.rows[invoiceID].Payment].Status == billing.Processing
}

// checkNotProcessing returns Conflict while the payment of the invoice is on its way.
func (t *tx) checkNotProcessing(invoiceID string) error {
	if t.isProcessing(invoiceID) {
		return billing.ErrPaymentProcessing()
	}
	return nil
}

// checkCancel returns Conflict for a cancellation that would have to stop a payment on its way: the first one, that of a
// pending change, or one of an invoice to be voided.
func (t *tx) checkCancel(s subscription, void bool) error {
	stops := s.Status == billing.Incomplete || s.Pending.Invoice != "" || void && s.Status.Live()
	if stops && t.isProcessing(s.Invoice) {
		return fault.Wrap(billing.ErrPaymentProcessing(), fault.Conflict, "The payment of the subscription is on its way and can't be stopped.")
	}
	return nil
}
