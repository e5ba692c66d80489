package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// DisputeReport reports a dispute of a payment at the provider.
type DisputeReport struct {
	Ref                 string
	Amount              int64
	Status              billing.DisputeStatus
	OpenedAt, DecidedAt time.Time // zero if unknown
}

// recordReturnedAttempt changes the account after a payment was returned to the customer, and after its refunds and
// disputes were recorded. If a bank debit was the whole payment of the latest invoice of an active subscription, the
// invoice becomes open again. Any other return is recorded as a chargeback.
func (a *Account) recordReturnedAttempt(key string) {
	attempt, err := a.Attempt(key)
	if err != nil {
		return
	}
	a.loseOpenDisputes(attempt)
	inv := a.Invoice(attempt.Invoice)
	s, err := a.Subscription(inv.Subscription)
	isWholePayment := inv.Refunded == 0 && inv.Dispute.Amount == 0 && attempt.Surplus == 0
	paysActivePeriod := err == nil && s.LatestInvoice == inv.ID && s.Status == billing.Active
	if attempt.MethodDetails.Kind == billing.CardMethod || !paysActivePeriod || !isWholePayment {
		a.recordChargeback(attempt)
		return
	}
	inv.Status, inv.PaidAt = billing.InvoiceOpen, time.Time{}
	inv.AmountPaid, inv.BankReturned = inv.AmountPaid-attempt.Amount, inv.BankReturned+attempt.Amount
	inv.Returns = inv.Returns.Add(Return{Kind: billing.ReturnByBank, Amount: attempt.Amount, At: a.Now, Method: attempt.MethodDetails})
	a.putInvoice(inv)
	s.Subscription = s.PaymentReturned(a.Now)
	a.putSubscription(s)
}

// recordChargeback changes the account after a payment was returned to the customer and is not owed again. It puts the
// account on hold, and withdraws the part that was not refunded from the credit. Refunds that are not sent yet fail.
func (a *Account) recordChargeback(attempt Attempt) {
	attempt.ChargedBack = true
	a.putAttempt(attempt)
	disputedAmount := attempt.Amount - attempt.Disputed
	for _, r := range a.Refunds {
		if r.PaymentKey != attempt.Key || !r.isEffective() {
			continue
		}
		disputedAmount -= r.Amount
		if r.State == AttemptStored {
			a.applyRefundReport(r, RefundReport{State: AttemptFailed}) // also adds the refund to the disputed amount
		}
	}
	a.adjustDispute(attempt, disputedAmount)
}

// loseOpenDisputes records the open disputes of a payment as lost after the payment was returned.
func (a *Account) loseOpenDisputes(attempt Attempt) {
	for _, r := range a.Invoice(attempt.Invoice).Returns {
		if r.PaymentKey == attempt.Key && r.Dispute == billing.DisputeOpen {
			a.recordDisputeDecision(attempt, r, DisputeReport{Status: billing.DisputeLost})
		}
	}
}

// adjustDispute adds the amount to the disputed amount of the payment's invoice, and withdraws the amount from the
// credit. The amount is negative if a refund, and not the dispute, has returned the money.
func (a *Account) adjustDispute(attempt Attempt, amount int64) {
	inv := a.Invoice(attempt.Invoice)
	if amount > 0 {
		a.putOnHold()
		inv.Returns = inv.Returns.Add(Return{
			Kind: billing.ReturnByDispute, Amount: amount, At: a.Now, Method: attempt.MethodDetails,
			Dispute: billing.DisputeLost, DecidedAt: a.Now,
		})
	} else {
		inv.Returns = inv.Returns.Reduce(billing.ReturnByDispute, -amount)
	}
	inv.Dispute = a.adjustReturnedPayment(inv, inv.Dispute, amount)
	a.putInvoice(inv)
}

// applyDisputeReports changes the account after the provider has reported all disputes of a payment. It ignores the status
// of a dispute that was decided.
func (a *Account) applyDisputeReports(key string, reports []DisputeReport) {
	for _, report := range reports {
		attempt, err := a.Attempt(key)
		if err != nil || !attempt.isReceived() {
			return
		}
		dispute, isRecorded := a.Invoice(attempt.Invoice).Returns.dispute(report.Ref)
		switch {
		case !isRecorded:
			a.recordDispute(attempt, report)
		case dispute.Dispute == billing.DisputeOpen && report.Status != billing.DisputeOpen:
			a.recordDisputeDecision(attempt, dispute, report)
		}
	}
}

// scheduleDisputeCheck sets the next check of a payment with an open dispute after MaxCheckDelay, unless one is set.
func (a *Account) scheduleDisputeCheck(key string) {
	attempt, err := a.Attempt(key)
	isOpen := func(r Return) bool { return r.Ref != "" && r.Dispute == billing.DisputeOpen }
	if err == nil && attempt.CheckAt.IsZero() && slices.ContainsFunc(a.Invoice(attempt.Invoice).Returns, isOpen) {
		attempt.CheckAt = a.Now.Add(MaxCheckDelay)
		a.putAttempt(attempt)
	}
}

// recordDispute adds the dispute to the returns of the payment's invoice. Unless the dispute was won already,
// recordDispute puts the account on hold and withdraws the amount from the credit.
func (a *Account) recordDispute(attempt Attempt, report DisputeReport) {
	amount := min(report.Amount, attempt.Amount-attempt.Disputed-a.completedRefunds(attempt.Key))
	if amount <= 0 {
		return
	}
	dispute := Return{
		Kind: billing.ReturnByDispute, Amount: amount, At: a.timeOfReport(report.OpenedAt), Method: attempt.MethodDetails,
		Dispute: report.Status, Ref: report.Ref, PaymentKey: attempt.Key,
	}
	if report.Status != billing.DisputeOpen {
		dispute.DecidedAt = a.timeOfReport(report.DecidedAt)
	}
	if report.Status != billing.DisputeWon {
		attempt.Disputed += amount
		a.putAttempt(attempt)
		a.failUnsentRefunds(attempt)
		a.putOnHold()
	}
	inv := a.Invoice(attempt.Invoice)
	inv.Returns = inv.Returns.Add(dispute)
	if report.Status == billing.DisputeWon {
		inv.Dispute.At = laterTime(inv.Dispute.At, dispute.At)
	} else {
		inv.Dispute = a.adjustReturnedPayment(inv, inv.Dispute, amount)
	}
	a.putInvoice(inv)
}

// recordDisputeDecision records the decision of an open dispute. If it was won, the customer gets the withdrawn credit
// back. If all disputes of the hold were won, the hold ends.
func (a *Account) recordDisputeDecision(attempt Attempt, dispute Return, report DisputeReport) {
	dispute.Dispute, dispute.DecidedAt = report.Status, a.timeOfReport(report.DecidedAt)
	inv := a.Invoice(attempt.Invoice)
	inv.Returns = inv.Returns.replaceDispute(dispute)
	if report.Status == billing.DisputeWon {
		attempt.Disputed -= dispute.Amount
		a.putAttempt(attempt)
		inv.Dispute = a.adjustReturnedPayment(inv, inv.Dispute, -dispute.Amount)
	}
	a.putInvoice(inv)
	if report.Status == billing.DisputeWon && !a.isHoldRequired() {
		a.LiftHold()
	}
}

// isHoldRequired reports whether a dispute that was recorded after the last hold is open or was lost.
func (a *Account) isHoldRequired() bool {
	return slices.ContainsFunc(a.Invoices, func(inv Invoice) bool { return inv.Returns.RequiresHold() })
}

// completedRefunds returns the sum of the refunds of a payment that have arrived.
func (a *Account) completedRefunds(paymentKey string) (sum int64) {
	for _, r := range a.Refunds {
		if r.PaymentKey == paymentKey && r.State == AttemptPaid {
			sum += r.Amount
		}
	}
	return sum
}

// failUnsentRefunds fails refunds of the payment that were not sent yet, until the refunds and disputes no longer exceed
// the payment.
func (a *Account) failUnsentRefunds(attempt Attempt) {
	remaining := attempt.Amount - attempt.Disputed
	for _, r := range a.Refunds {
		if r.PaymentKey == attempt.Key && r.isEffective() {
			remaining -= r.Amount
		}
	}
	for _, r := range a.Refunds {
		if remaining < 0 && r.PaymentKey == attempt.Key && r.State == AttemptStored {
			remaining += r.Amount
			a.applyRefundReport(r, RefundReport{State: AttemptFailed})
		}
	}
}

// timeOfReport returns the reported time, or Now if it is unknown or later.
func (a *Account) timeOfReport(reported time.Time) time.Time {
	if reported.IsZero() || reported.After(a.Now) {
		return a.Now
	}
	return reported.UTC().Truncate(time.Second)
}

// putOnHold puts the account on hold because of a dispute. It holds the credit and cancels scheduled changes. The next
// steps cancel pending changes and end subscriptions that have not started.
func (a *Account) putOnHold() {
	a.Hold = billing.HoldDisputed
	a.HeldCredit += max(a.Credit, 0)
	a.Credit = min(a.Credit, 0)
	for _, s := range a.Subscriptions {
		s.Subscription = s.CancelScheduledChange()
		a.putSubscription(s)
	}
}

// LiftHold ends the hold and makes the held credit usable again. The disputes that are recorded now do not count for a
// later hold.
func (a *Account) LiftHold() {
	if a.Hold == billing.NoHold {
		return
	}
	a.Hold = billing.NoHold
	a.Credit, a.HeldCredit = a.Credit+a.HeldCredit, 0
	for _, inv := range a.Invoices {
		if inv.Returns.RequiresHold() {
			inv.Returns = inv.Returns.LiftHold()
			a.putInvoice(inv)
		}
	}
}
