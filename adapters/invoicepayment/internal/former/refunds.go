package former

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. It records the refund; an operator transfers the money.
func (p *Provider) Refund(ctx context.Context, in payment.Refund) (billing.Invoice, error) {
	var spent returnedCredit
	out, err := runOnce(ctx, p, "refund", in.Key, in, func(tx plugin.Tx) (billing.Invoice, error) {
		var customerID string
		err := tx.Get(ctx, &customerID, "SELECT customer_id FROM invoice_invoices WHERE id = ?", in.InvoiceID)
		if fault.Is(err, fault.NotFound) {
			return billing.Invoice{}, errNoInvoice()
		}
		if err != nil {
			return billing.Invoice{}, err
		}
		l, err := p.change(ctx, tx, customerID, func(l *ledger) error {
			if spent, err = l.refund(l.invoice(in.InvoiceID), in.Amount); err != nil {
				return err
			}
			sent := -in.Amount.Minor()
			return record(ctx, tx, transfer{Reference: in.Key, InvoiceID: in.InvoiceID, Amount: sent, Applied: sent, RecordedAt: l.now.Unix()})
		})
		if err != nil {
			return billing.Invoice{}, err
		}
		return l.billingInvoice(l.invoice(in.InvoiceID)), nil
	})
	if err == nil && spent.Spent > 0 {
		payment.ReportSpentCredit(ctx, p.Log, spent.organisation, spent.payment)
	}
	return out, err
}

// refund returns a part of what was paid for an invoice and withdraws it from the customer's credit.
func (l *ledger) refund(inv invoice, amount money.Amount) (returnedCredit, error) {
	refundable := inv.Paid - inv.Refunded
	switch {
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return returnedCredit{}, fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case inv.Status != billing.InvoicePaid:
		return returnedCredit{}, fault.Newf(fault.Conflict, "Invoice %s is %s, and only a paid one can be refunded. Payments of a void invoice are credit, which is returned separately.",
			l.number(inv), inv.Status)
	case amount.Minor() > refundable:
		return returnedCredit{}, fault.Newf(fault.Conflict, "Only %s of invoice %s can be refunded: the rest was refunded before.",
			amountOf(refundable, inv.Currency), l.number(inv))
	}
	inv.Refunded += amount.Minor()
	return l.settleReturned(inv, amount.Minor()), nil
}

// returnedCredit is what happened to the customer's credit when a payment was refunded.
type returnedCredit struct {
	Withdrawn, Spent int64 // by this refund
	organisation     string
	payment          billing.ReturnedPayment // with all refunds
}

// settleReturned withdraws a refund of the invoice's payment from the customer's credit. A negative amount is that of
// a refund that was recorded by mistake. It stores the invoice.
func (l *ledger) settleReturned(inv invoice, amount int64) returnedCredit {
	before := inv.Refund
	var change int64
	inv.Refund, change = before.Settle(max(0, before.Amount+amount), l.customer.Credit, engine.UsedCredit(inv.ID, l.creditUses()), l.now)
	l.customer.Credit += change
	l.putInvoice(inv)
	return returnedCredit{
		Withdrawn: inv.Refund.Withdrawn - before.Withdrawn, Spent: inv.Refund.Spent - before.Spent,
		organisation: l.customer.Organisation, payment: l.returnedPayment(inv),
	}
}

// creditUses returns which invoices have used credit.
func (l *ledger) creditUses() (uses []engine.CreditUse) {
	for _, inv := range l.invoices {
		if inv.Status != billing.InvoiceVoid {
			uses = append(uses, engine.CreditUse{
				Invoice: inv.ID, Created: inv.Created, Open: inv.Status == billing.InvoiceOpen, Used: inv.Credit - (inv.credited() - inv.Credited), Spent: inv.Refund.Spent,
			})
		}
	}
	return uses
}

// returnCredit gives credit that the invoice has used back to the customer, except for what is owed because of
// refunds.
func (l *ledger) returnCredit(used invoice, amount int64) {
	for _, inv := range l.invoices {
		after, withdrawn := inv.Refund.Reclaim(amount, used.Created)
		if withdrawn > 0 {
			amount -= withdrawn
			inv.Refund = after
			l.putInvoice(inv)
		}
	}
	l.customer.Credit += amount
}

// ReturnedPayments implements payment.Provider.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) (out []billing.ReturnedPayment, err error) {
	err = p.read(ctx, customerID, func(l *ledger) error {
		out = nil
		for _, inv := range l.invoices {
			if inv.Refunded > 0 {
				out = append(out, l.returnedPayment(inv))
			}
		}
		slices.SortStableFunc(out, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
		return nil
	})
	return out, err
}

func (l *ledger) returnedPayment(inv invoice) billing.ReturnedPayment {
	return billing.ReturnedPayment{
		Payment: l.number(inv), Amount: amountOf(inv.Refunded, inv.Currency),
		Withdrawn: amountOf(inv.Refund.Withdrawn, inv.Currency), Spent: amountOf(inv.Refund.Spent, inv.Currency), At: inv.Refund.At,
	}
}
