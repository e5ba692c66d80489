package invoicepayment

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. It records the refund; an operator transfers the money.
func (p *Provider) Refund(ctx context.Context, req payment.Refund) (billing.Invoice, error) {
	var settled engine.Returned
	var organisation string
	var returned billing.ReturnedPayment
	out, err := ledger.Once(ctx, p.Ledger, "refund", req.Key, req, func(tx plugin.Tx) (billing.Invoice, error) {
		customerID, err := p.CustomerOfInvoice(ctx, tx, req.InvoiceID)
		if err != nil {
			return billing.Invoice{}, err
		}
		r, err := p.Change(ctx, tx, customerID, ledger.Scope{All: true}, func(r *ledger.Record) error {
			if settled, err = r.Account.Refund(req.InvoiceID, req.Amount); err != nil {
				return err
			}
			organisation, returned = r.Customer.Organisation, returnedPayment(r, r.Invoice(req.InvoiceID))
			sent := -req.Amount.Minor()
			return record(ctx, tx, transfer{
				Reference: req.Key, InvoiceID: req.InvoiceID, Amount: sent, Applied: sent, RecordedAt: r.Account.Now.Unix(),
			})
		})
		if err != nil {
			return billing.Invoice{}, err
		}
		return r.BillingInvoice(r.Invoice(req.InvoiceID)), nil
	})
	if err == nil && settled.Spent > 0 {
		payment.ReportSpentCredit(ctx, p.Log, organisation, returned)
	}
	return out, err
}

// ReturnedPayments implements payment.Provider.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) (out []billing.ReturnedPayment, err error) {
	err = p.Read(ctx, customerID, ledger.Scope{All: true}, func(_ plugin.Tx, r *ledger.Record) error {
		out = nil
		for _, inv := range r.Account.Invoices {
			if inv.Refunded > 0 {
				out = append(out, returnedPayment(r, r.Invoice(inv.ID)))
			}
		}
		slices.SortStableFunc(out, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
		return nil
	})
	return out, err
}

func returnedPayment(r *ledger.Record, inv ledger.Invoice) billing.ReturnedPayment {
	return billing.ReturnedPayment{
		Payment: r.Terms.Number(inv.Number), Amount: ledger.Amount(inv.Refunded, inv.Currency),
		Withdrawn: ledger.Amount(inv.Refund.Withdrawn, inv.Currency), Spent: ledger.Amount(inv.Refund.Spent, inv.Currency), At: inv.Refund.At,
	}
}
