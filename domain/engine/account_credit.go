package engine

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// AddCredit adds to the customer's credit. The first credit fixes the currency. Invalid for an amount that is not positive or
// in another currency; Conflict for an account on hold.
func (a *Account) AddCredit(amount money.Amount) error {
	switch {
	case a.Hold != billing.NoHold:
		return billing.ErrHold()
	case amount.Minor() <= 0:
		return fault.New(fault.Invalid, "The credit must be positive.")
	case a.Currency != "" && amount.Currency().Code != a.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s.", a.Currency)
	}
	a.Currency = amount.Currency().Code
	a.changeCredit(amount.Minor())
	return nil
}

// allCredit returns the customer's unspent credit, also the part that is set aside.
func (a *Account) allCredit() int64 { return max(a.Credit, 0) + a.HeldCredit }

// changeCredit changes the credit by an amount that may be negative. Credit of an account on hold is set aside.
func (a *Account) changeCredit(amount int64) {
	if a.Hold == billing.NoHold {
		a.Credit += amount
		return
	}
	before := a.HeldCredit
	a.HeldCredit = max(0, before+amount)
	a.Credit += before + amount - a.HeldCredit
}

// loseDispute accounts for a payment that was returned to the customer and is not owed again: what was not refunded is
// withdrawn from the credit, and the account is on hold, where nothing can be bought.
func (a *Account) loseDispute(payment Attempt) {
	payment.Lost = true
	a.putAttempt(payment)
	returned := payment.Amount
	for _, r := range a.Refunds {
		switch {
		case r.Payment != payment.Key || !r.applies():
		case r.State == AttemptStored: // it is not sent any more
			a.reportRefund(r, ReportedRefund{State: AttemptFailed})
			returned -= r.Amount
		default:
			returned -= r.Amount
		}
	}
	a.dispute(payment.Invoice, returned)
}

// dispute withdraws what was returned of the payment of an invoice. A negative amount is that of a refund that has returned
// it instead.
func (a *Account) dispute(invoiceID string, amount int64) {
	if amount > 0 {
		a.hold()
	}
	inv := a.Invoice(invoiceID)
	inv.Dispute = a.settlement(inv, inv.Dispute, amount)
	a.putInvoice(inv)
}

// hold puts the account on hold and sets its credit aside. Pending changes and first payments end with the next step.
func (a *Account) hold() {
	a.Hold = billing.HoldDisputed
	a.HeldCredit += max(a.Credit, 0)
	a.Credit = min(a.Credit, 0)
	for _, s := range a.Subscriptions {
		s.Subscription = s.Unschedule()
		a.put(s)
	}
}

// LiftHold ends the hold. The credit that was set aside can be used again.
func (a *Account) LiftHold() {
	if a.Hold != billing.NoHold {
		a.Hold = billing.NoHold
		a.Credit, a.HeldCredit = a.Credit+a.HeldCredit, 0
	}
}
