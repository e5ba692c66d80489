package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// Refund returns a part of what was paid for an invoice and withdraws it from the customer's credit. It returns how
// much of it this refund withdrew and found spent. Invalid for an amount that is not positive or in
// another currency; Conflict if less was paid and not refunded yet.
func (a *Account) Refund(invoiceID string, amount money.Amount) (settled Returned, err error) {
	inv := a.Invoice(invoiceID)
	refundable := inv.Paid - inv.Refunded
	switch {
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return Returned{}, fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case inv.Status != billing.InvoicePaid:
		return Returned{}, fault.Newf(fault.Conflict, "Invoice %s is %s, and only a paid one can be refunded. Payments of a void invoice are credit, which is returned separately.",
			a.Terms.Number(inv.Number), inv.Status)
	case amount.Minor() > refundable:
		return Returned{}, fault.Newf(fault.Conflict, "Only %s of invoice %s can be refunded: the rest was refunded before.",
			amountIn(refundable, inv.Currency), a.Terms.Number(inv.Number))
	}
	inv.Refunded += amount.Minor()
	return a.settleReturned(inv, amount.Minor()), nil
}

// settleReturned withdraws a refund of the invoice's payment from the customer's credit. A negative amount is that of
// a refund that was recorded by mistake. It stores the invoice.
func (a *Account) settleReturned(inv Invoice, amount int64) Returned {
	before := inv.Refund
	var change int64
	inv.Refund, change = before.Settle(max(0, before.Amount+amount), a.Credit, UsedCredit(inv.ID, a.creditUses()), a.Now)
	a.Credit += change
	a.putInvoice(inv)
	return Returned{
		Amount: amount, Withdrawn: inv.Refund.Withdrawn - before.Withdrawn, Spent: inv.Refund.Spent - before.Spent, At: inv.Refund.At,
	}
}

// creditUses returns which invoices have used credit.
func (a *Account) creditUses() (uses []CreditUse) {
	for _, inv := range a.Invoices {
		if inv.Status != billing.InvoiceVoid {
			uses = append(uses, CreditUse{
				Invoice: inv.ID, Created: inv.Created, Open: inv.Status == billing.InvoiceOpen,
				Used: inv.Credit - (inv.AllCredited() - inv.Credited), Spent: inv.Refund.Spent,
			})
		}
	}
	return uses
}

// returnCredit gives credit that the invoice has used back to the customer, except for what is owed because of
// refunds.
func (a *Account) returnCredit(used Invoice, amount int64) {
	for _, inv := range a.Invoices {
		after, withdrawn := inv.Refund.Reclaim(amount, used.Created)
		if withdrawn > 0 {
			amount -= withdrawn
			inv.Refund = after
			a.putInvoice(inv)
		}
	}
	a.Credit += amount
}

// Reverse undoes the record of a payment, or of a refund, that was made by mistake: what a payment has paid is owed
// again, and what became credit is deducted from the credit. amount is that of the payment, negative for a refund, and
// applied the part of it that Receive has returned, the whole amount of a refund. Conflict when the consequences can't
// be undone: the credit was used, the price change was made, the subscription has ended, or a later invoice was issued.
func (a *Account) Reverse(invoiceID string, amount, applied int64) error {
	inv := a.Invoice(invoiceID)
	credited := amount - applied
	switch {
	case applied < 0 && inv.Credited > 0 && inv.Refund.Withdrawn+inv.Refund.Spent < -applied:
		return fault.Newf(fault.Conflict, "What was paid for invoice %s has become credit since. Record the amount as a payment of the invoice instead.", a.Terms.Number(inv.Number))
	case applied < 0:
		inv.Refunded += applied
		a.settleReturned(inv, applied)
		return nil
	case inv.Status == billing.InvoiceVoid:
		credited += applied
		inv.Returned = max(0, inv.Returned-applied)
	case inv.Status == billing.InvoicePaid && applied > 0:
		if !a.canReopen(inv) {
			return fault.Newf(fault.Conflict, "Invoice %s can't become unpaid any more. Record a refund instead.", a.Terms.Number(inv.Number))
		}
		inv.Status, inv.PaidAt = billing.InvoiceOpen, time.Time{}
		fallthrough
	default:
		inv.Paid -= applied
	}
	if credited > a.Credit {
		return fault.Newf(fault.Conflict, "The customer has used credit that came from this payment. The credit is %s now.", amountIn(a.Credit, inv.Currency))
	}
	a.Credit -= credited
	a.putInvoice(inv)
	return nil
}
