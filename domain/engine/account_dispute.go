package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// recordReturnedAttempt changes the account after a payment was returned to the customer. If a bank debit was the whole
// payment of the latest invoice of an active subscription, the invoice becomes open again. Any other return is recorded
// as a chargeback.
func (a *Account) recordReturnedAttempt(attempt Attempt) {
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
	disputedAmount := attempt.Amount
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

// putOnHold puts the account on hold, holds its credit and cancels scheduled changes. The next steps cancel pending
// changes and end subscriptions that have not started.
func (a *Account) putOnHold() {
	a.Hold = billing.HoldDisputed
	a.HeldCredit += max(a.Credit, 0)
	a.Credit = min(a.Credit, 0)
	for _, s := range a.Subscriptions {
		s.Subscription = s.CancelScheduledChange()
		a.putSubscription(s)
	}
}

// LiftHold ends the hold and makes the held credit usable again.
func (a *Account) LiftHold() {
	if a.Hold != billing.NoHold {
		a.Hold = billing.NoHold
		a.Credit, a.HeldCredit = a.Credit+a.HeldCredit, 0
	}
}
