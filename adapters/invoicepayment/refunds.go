package invoicepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. It records the refund; an operator transfers the money.
func (p *Provider) Refund(ctx context.Context, in payment.Refund) (billing.Invoice, error) {
	return runOnce(ctx, p, "refund", in.Key, in, func(tx plugin.Tx) (billing.Invoice, error) {
		var customerID string
		err := tx.Get(ctx, &customerID, "SELECT customer_id FROM invoice_invoices WHERE id = ?", in.InvoiceID)
		if fault.Is(err, fault.NotFound) {
			return billing.Invoice{}, errNoInvoice()
		}
		if err != nil {
			return billing.Invoice{}, err
		}
		l, err := p.change(ctx, tx, customerID, func(l *ledger) error {
			if err := l.refund(l.invoice(in.InvoiceID), in.Amount); err != nil {
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
}

// refund returns a part of what was paid for an invoice and puts its subscription on hold.
func (l *ledger) refund(inv invoice, amount money.Amount) error {
	switch {
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case inv.Status != billing.InvoicePaid:
		return fault.Newf(fault.Conflict, "Invoice %s is %s, and only a paid one can be refunded. Payments of a void invoice are credit, which is returned separately.",
			l.number(inv), inv.Status)
	case amount.Minor() > inv.refundable():
		return fault.Newf(fault.Conflict, "Only %s of invoice %s can be refunded: the rest was refunded before or has become credit. "+
			"The customer's credit is returned separately.", amountOf(inv.refundable(), inv.Currency), l.number(inv))
	}
	inv.Refunded += amount.Minor()
	l.putInvoice(inv)
	s, err := l.subscription(inv.Subscription)
	if err == nil && s.Hold == billing.NoHold {
		s.Hold = billing.HoldRefunded
		l.put(s)
	}
	return err
}
