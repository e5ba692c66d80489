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
	if err := a.checkRefund(inv, amount); err != nil {
		return Returned{}, err
	}
	inv.Refunded += amount.Minor()
	return a.settleReturned(inv, amount.Minor()), nil
}

func (a *Account) checkRefund(inv Invoice, amount money.Amount) error {
	refundable := inv.Paid - inv.Refunded - inv.Dispute.Amount
	switch {
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case inv.Status != billing.InvoicePaid:
		return fault.Newf(fault.Conflict, "Invoice %s is %s, and only a paid one can be refunded. Payments of a void invoice are credit, which is returned separately.",
			a.Terms.Number(inv.Number), inv.Status)
	case amount.Minor() > refundable:
		return fault.Newf(fault.Conflict, "Only %s of invoice %s can be refunded: the rest was refunded before.",
			amountIn(refundable, inv.Currency), a.Terms.Number(inv.Number))
	}
	return nil
}

// settleReturned withdraws a refund of the invoice's payment from the customer's credit. A negative amount is that of
// a refund that was recorded by mistake, or that has failed. It stores the invoice.
func (a *Account) settleReturned(inv Invoice, amount int64) Returned {
	before := inv.Refund
	inv.Refund = a.settlement(inv, before, amount)
	a.putInvoice(inv)
	return Returned{
		Amount: amount, Withdrawn: inv.Refund.Withdrawn - before.Withdrawn, Spent: inv.Refund.Spent - before.Spent, At: inv.Refund.At,
	}
}

// settlement returns the settlement of what was returned of the invoice's payment after the amount was returned in addition.
func (a *Account) settlement(inv Invoice, before Returned, amount int64) Returned {
	after, change := before.Settle(max(0, before.Amount+amount), a.allCredit(), UsedCredit(inv.ID, a.creditUses()), a.Now)
	a.changeCredit(change)
	return after
}

// creditUses returns which invoices have used credit.
func (a *Account) creditUses() (uses []CreditUse) {
	for _, inv := range a.Invoices {
		if inv.Status != billing.InvoiceVoid {
			uses = append(uses, CreditUse{
				Invoice: inv.ID, Created: inv.Created, Open: inv.Status == billing.InvoiceOpen,
				Used: inv.Credit - (inv.AllCredited() - inv.Credited), Spent: inv.Refund.Spent + inv.Dispute.Spent,
			})
		}
	}
	return uses
}

// returnCredit gives credit that the invoice has used back to the customer, except for what is owed because of
// refunds.
func (a *Account) returnCredit(used Invoice, amount int64) {
	a.changeCredit(amount - a.reclaim(amount, used.Created))
}

// reclaim withdraws what is owed because of returned payments from credit that has come back from an invoice or a period
// that began at since. It returns the amount.
func (a *Account) reclaim(credit int64, since time.Time) (withdrawn int64) {
	for _, inv := range a.Invoices {
		var refunded, disputed int64
		inv.Refund, refunded = inv.Refund.Reclaim(credit-withdrawn, since)
		inv.Dispute, disputed = inv.Dispute.Reclaim(credit-withdrawn-refunded, since)
		if refunded+disputed > 0 {
			withdrawn += refunded + disputed
			a.putInvoice(inv)
		}
	}
	return withdrawn
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
