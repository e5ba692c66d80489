package fakepayment

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	// settlementTime is how long a payment from a bank account takes to arrive or to fail.
	settlementTime = 3 * day
	// returnTime is the time from the acceptance of a payment to its return, for the test account returnsLate.
	returnTime = 10 * day
)

// settleAcceptedPayment records that the payment of the subscription's invoice is processing.
func (t *tx) settleAcceptedPayment(pi intent, s subscription) {
	if s.Invoice == pi.Invoice {
		s.Subscription = s.PaymentAccepted()
		if t.config.DebitsLikeStripe && s.Status == billing.Incomplete {
			s.Status = billing.Active
		}
		t.saveSubscription(s)
	}
	t.schedule.addPayment(pi)
	t.emit("payment_intent.processing", intentObject(pi))
}

// returnsAt returns when the customer's bank returns the payment. It is zero unless the test account is returnsLate and the
// payment has arrived.
func (t *tx) returnsAt(pi intent) time.Time {
	if pi.AcceptedAt.IsZero() || pi.Status != billing.Succeeded || t.cards.rows[pi.Card].Behaviour != returnsLate {
		return time.Time{}
	}
	return pi.AcceptedAt.Add(returnTime)
}

// processPayment settles or returns a payment that takes days, if its settlement or return is due at the given time.
func (t *tx) processPayment(pi intent, at time.Time) {
	switch {
	case pi.Status == billing.Processing && pi.SettlesAt.Equal(at):
		pi.Status, pi.SettlesAt = billing.Succeeded, time.Time{}
		if t.cards.rows[pi.Card].Behaviour == failsLate {
			pi.Status, pi.LastError = billing.RequiresPaymentMethod, &debitInsufficientFunds
		}
		t.settle(pi)
		t.endIfGivenUp(t.subscriptions.rows[pi.Subscription])
		if t.customers.rows[pi.Customer].Hold != billing.NoHold {
			t.stopPurchases(pi.Customer) // this payment could not be stopped when the customer was put on hold
		}
		t.schedule.addReturn(pi.ID, t.returnsAt(pi))
	case t.returnsAt(pi).Equal(at):
		t.returnToBank(pi)
	}
}

// returnToBank returns a payment to the customer's bank. If it paid the latest invoice of an active subscription, the
// invoice is open again. Otherwise the return is a lost dispute, which withdraws credit that was given for the payment.
func (t *tx) returnToBank(pi intent) {
	inv, s := t.invoices.rows[pi.Invoice], t.subscriptions.rows[pi.Subscription]
	if t.config.DebitsLikeStripe {
		t.openLostDispute(inv)
		return
	}
	if s.Invoice != inv.ID || s.Status != billing.Active || inv.Refunded > 0 || inv.Disputed {
		t.loseDispute(inv)
		return
	}
	inv.Status, inv.PaidAt, inv.Returned = invoiceOpen, time.Time{}, inv.Returned+inv.Amount
	t.invoices.put(inv)
	pi.Status, pi.AcceptedAt, pi.LastError = billing.RequiresPaymentMethod, time.Time{}, &returnedDebit
	t.intents.put(pi)
	s.Subscription = s.PaymentReturned(t.now)
	t.saveSubscription(s)
	t.emit("invoice.payment_failed", invoiceObject(inv))
}

// loseDispute opens and loses a dispute of the invoice's payment, puts the customer on hold and withdraws the amount from
// the customer's credit. It does nothing if the payment was refunded in full or is disputed already.
func (t *tx) loseDispute(inv invoice) {
	if t.openLostDispute(inv) {
		t.stopPurchases(inv.Customer)
		t.putOnHold(inv.Customer)
		t.settleReturned(inv.ID)
	}
}

// openLostDispute opens and loses a dispute of the invoice's payment. It neither puts the customer on hold nor
// withdraws credit. It does nothing and returns false if the payment was refunded in full or is disputed already.
func (t *tx) openLostDispute(inv invoice) bool {
	if inv.Disputed || inv.amountPaid() == inv.Refunded {
		return false
	}
	if _, err := t.openDispute(inv.ID); err != nil {
		return false
	}
	_, err := t.endDispute(inv.ID, false)
	return err == nil
}

// isProcessing reports whether the payment of the invoice is processing.
func (t *tx) isProcessing(invoiceID string) bool {
	return t.intents.rows[t.invoices.rows[invoiceID].Payment].Status == billing.Processing
}

// checkCancel returns Conflict if the cancellation would have to stop a processing payment. This can be the first
// payment, the payment of a pending change, or the payment of an invoice that is to be voided.
func (t *tx) checkCancel(s subscription, void bool) error {
	stopsPayment := s.Status == billing.Incomplete || s.Pending.Invoice != "" || void && s.Status.Live()
	if stopsPayment && t.isProcessing(s.Invoice) {
		return fault.Wrap(billing.ErrPaymentProcessing(), fault.Conflict,
			"The payment of the subscription is on its way and can't be stopped.")
	}
	return nil
}
