package invoicepayment

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. It records the refund; an operator transfers the money.
func (p *Provider) Refund(ctx context.Context, req payment.Refund) (billing.Invoice, error) {
	var settled engine.Returned
	var organisation string
	var returned billing.ReturnedPayment
	out, err := runOnce(ctx, p, "refund", req.Key, req, func(tx plugin.Tx) (billing.Invoice, error) {
		var customerID string
		err := tx.Get(ctx, &customerID, "SELECT customer_id FROM invoice_invoices WHERE id = ?", req.InvoiceID)
		if fault.Is(err, fault.NotFound) {
			return billing.Invoice{}, errNoInvoice()
		}
		if err != nil {
			return billing.Invoice{}, err
		}
		l, err := p.change(ctx, tx, customerID, scope{all: true}, func(l *ledger) error {
			if settled, err = l.account.Refund(req.InvoiceID, req.Amount); err != nil {
				return err
			}
			organisation, returned = l.customer.Organisation, l.returnedPayment(l.invoice(req.InvoiceID))
			sent := -req.Amount.Minor()
			return record(ctx, tx, transfer{
				Reference: req.Key, InvoiceID: req.InvoiceID, Amount: sent, Applied: sent, RecordedAt: l.account.Now.Unix(),
			})
		})
		if err != nil {
			return billing.Invoice{}, err
		}
		return l.billingInvoice(l.invoice(req.InvoiceID)), nil
	})
	if err == nil && settled.Spent > 0 {
		payment.ReportSpentCredit(ctx, p.Log, organisation, returned)
	}
	return out, err
}

// ReturnedPayments implements payment.Provider.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) (out []billing.ReturnedPayment, err error) {
	err = p.readInTx(ctx, customerID, scope{all: true}, func(_ plugin.Tx, l *ledger) error {
		out = nil
		for _, inv := range l.account.Invoices {
			if inv.Refunded > 0 {
				out = append(out, l.returnedPayment(l.invoice(inv.ID)))
			}
		}
		slices.SortStableFunc(out, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
		return nil
	})
	return out, err
}

func (l *ledger) returnedPayment(inv invoice) billing.ReturnedPayment {
	return billing.ReturnedPayment{
		Payment: l.Terms.Number(inv.Number), Amount: amountOf(inv.Refunded, inv.Currency),
		Withdrawn: amountOf(inv.Refund.Withdrawn, inv.Currency), Spent: amountOf(inv.Refund.Spent, inv.Currency), At: inv.Refund.At,
	}
}
