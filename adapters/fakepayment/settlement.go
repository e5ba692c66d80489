package fakepayment

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	// settlementDelay is the time from the acceptance of a payment from a bank account to its arrival or failure.
	settlementDelay = 3 * day
	// returnDelay is the time from the acceptance of a payment to its return, for the test account ReturnsLate.
	returnDelay = 10 * day
)

// markPaymentProcessing records that the payment of the subscription's invoice is processing.
func (t *tx) markPaymentProcessing(pi intent, s subscription) {
	if s.LatestInvoiceID == pi.InvoiceID {
		s.Subscription = s.PaymentAccepted()
		if t.config.StripeDebitRules && s.Status == billing.Incomplete {
			s.Status = billing.Active
		}
		t.saveSubscription(s)
	}
	t.schedule.addPayment(pi)
	t.emit("payment_intent.processing", paymentObject(pi))
}

// returnTime returns when the customer's bank returns the payment. It is zero unless the test account is ReturnsLate and the
// payment has arrived.
func returnTime(pi intent) time.Time {
	if pi.AcceptedAt.IsZero() || pi.Status != billing.Succeeded || pi.Debited.Behaviour != testcards.ReturnsLate {
		return time.Time{}
	}
	return pi.AcceptedAt.Add(returnDelay)
}

// processPayment settles or returns a payment that takes days, if its settlement or return is due at the given time.
func (t *tx) processPayment(pi intent, at time.Time) {
	switch {
	case pi.Status == billing.Processing && pi.SettlesAt.Equal(at):
		pi.Status, pi.SettlesAt = billing.Succeeded, time.Time{}
		if pi.Debited.Behaviour == testcards.FailsLate {
			pi = t.fail(pi, &debitInsufficientFundsError)
		}
		t.applyResult(pi)
		t.endUnpaidIfDue(t.subscriptions.rows[pi.SubscriptionID])
		if t.customers.rows[pi.CustomerID].Hold != billing.NoHold {
			t.stopPurchases(pi.CustomerID) // this payment could not be stopped when the customer was put on hold
		}
		t.schedule.addPaymentReturn(pi.ID, returnTime(pi))
	case returnTime(pi).Equal(at):
		t.returnToBank(pi)
	}
}

// returnToBank returns a payment to the customer's bank. If it paid the latest invoice of an active subscription, the
// invoice is open again. Otherwise the return is a lost dispute, which withdraws credit that was given for the payment.
func (t *tx) returnToBank(pi intent) {
	inv, s := t.invoices.rows[pi.InvoiceID], t.subscriptions.rows[pi.SubscriptionID]
	if t.config.StripeDebitRules {
		t.loseDisputeWithoutHold(inv)
		return
	}
	if s.LatestInvoiceID != inv.ID || s.Status != billing.Active || inv.Refunded > 0 || inv.Disputed {
		t.loseDisputeWithHold(inv)
		return
	}
	inv.BankReturned = append(slices.Clip(inv.BankReturned), returnedPayment{inv.AmountDue, inv.PaidAt, inv.PaidWith})
	inv.Returns = inv.Returns.Add(engine.Return{
		Kind: billing.ReturnByBank, Amount: inv.AmountDue, At: t.now, Method: inv.PaidWith.paidMethod(),
	})
	inv.Status, inv.PaidAt, inv.Returned = invoiceOpen, time.Time{}, inv.Returned+inv.AmountDue
	t.invoices.put(inv)
	pi.AcceptedAt = time.Time{}
	t.intents.put(t.fail(pi, &returnedDebitError))
	s.Subscription = s.PaymentReturned(t.now)
	t.saveSubscription(s)
	t.emit("invoice.payment_failed", invoiceObject(inv))
}

// loseDisputeWithHold opens and loses a dispute of the invoice's payment, puts the customer on hold and withdraws the
// amount from the customer's credit. It does nothing if the payment was refunded in full or is disputed already.
func (t *tx) loseDisputeWithHold(inv invoice) {
	if t.loseDisputeWithoutHold(inv) {
		t.stopPurchases(inv.CustomerID)
		t.putOnHold(inv.CustomerID)
		t.adjustCredit(inv.ID)
	}
}

// loseDisputeWithoutHold opens and loses a dispute of the invoice's payment. It neither puts the customer on hold nor
// withdraws credit. It does nothing and returns false if the payment was refunded in full or is disputed already.
func (t *tx) loseDisputeWithoutHold(inv invoice) bool {
	if inv.Disputed || inv.amountPaid() == inv.Refunded {
		return false
	}
	if _, err := t.openDispute(inv.ID); err != nil {
		return false
	}
	_, err := t.closeDispute(inv.ID, false)
	return err == nil
}

// isProcessing reports whether the payment of the invoice is processing.
func (t *tx) isProcessing(invoiceID string) bool {
	return t.intents.rows[t.invoices.rows[invoiceID].PaymentID].Status == billing.Processing
}

// checkCancel returns Conflict if the cancellation would have to stop a processing payment. Such a payment is the first
// one, that of a pending change, or, if void is set, that of the latest invoice of a live subscription.
func (t *tx) checkCancel(s subscription, void bool) error {
	stopsPayment := s.Status == billing.Incomplete || s.Pending.Invoice != "" || void && s.Status.Live()
	if stopsPayment && t.isProcessing(s.LatestInvoiceID) {
		return fault.Wrap(billing.ErrPaymentProcessing(), fault.Conflict,
			"The payment of the subscription is on its way and can't be stopped.")
	}
	return nil
}
