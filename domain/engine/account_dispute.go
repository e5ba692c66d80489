package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// returnPayment accounts for a payment that was returned to the customer. If it was a bank debit and the whole payment
// of the latest invoice of an active subscription, the invoice is open again. Any other return is a chargeback.
func (a *Account) returnPayment(attempt Attempt) {
	inv := a.Invoice(attempt.Invoice)
	s, err := a.Subscription(inv.Subscription)
	isUntouched := inv.Refunded == 0 && inv.Dispute.Amount == 0 && attempt.Surplus == 0
	isCurrent := err == nil && s.LatestInvoice == inv.ID && s.Status == billing.Active
	if attempt.MethodDetails.Kind == billing.CardMethod || !isCurrent || !isUntouched {
		a.recordChargeback(attempt)
		return
	}
	inv.Status, inv.PaidAt = billing.InvoiceOpen, time.Time{}
	inv.Paid, inv.BankReturned = inv.Paid-attempt.Amount, inv.BankReturned+attempt.Amount
	a.putInvoice(inv)
	s.Subscription = s.PaymentReturned(a.Now)
	a.putSubscription(s)
}

// recordChargeback accounts for a payment that was returned to the customer and is not owed again. It puts the account
// on hold, and withdraws the part that was not refunded from the credit. Refunds that are not sent yet fail.
func (a *Account) recordChargeback(payment Attempt) {
	payment.ChargedBack = true
	a.putAttempt(payment)
	disputedAmount := payment.Amount
	for _, r := range a.Refunds {
		if r.Payment != payment.Key || !r.isEffective() {
			continue
		}
		disputedAmount -= r.Amount
		if r.State == AttemptStored {
			a.applyRefundReport(r, RefundReport{State: AttemptFailed}) // adds the amount of the refund to the disputed amount
		}
	}
	a.addDisputed(payment.Invoice, disputedAmount)
}

// addDisputed adds an amount to the disputed amount of an invoice, and withdraws the amount from the credit. The amount
// is negative if a refund has returned the money instead of the dispute.
func (a *Account) addDisputed(invoiceID string, amount int64) {
	if amount > 0 {
		a.putOnHold()
	}
	inv := a.Invoice(invoiceID)
	inv.Dispute = a.addReturned(inv, inv.Dispute, amount)
	a.putInvoice(inv)
}

// putOnHold puts the account on hold, sets its credit aside and drops scheduled changes. The next steps drop pending changes
// and end subscriptions that have not started.
func (a *Account) putOnHold() {
	a.Hold = billing.HoldDisputed
	a.HeldCredit += max(a.Credit, 0)
	a.Credit = min(a.Credit, 0)
	for _, s := range a.Subscriptions {
		s.Subscription = s.DropScheduledChange()
		a.putSubscription(s)
	}
}

// LiftHold ends the hold. The credit that was set aside can be used again.
func (a *Account) LiftHold() {
	if a.Hold != billing.NoHold {
		a.Hold = billing.NoHold
		a.Credit, a.HeldCredit = a.Credit+a.HeldCredit, 0
	}
}
