package invoicepayment

import (
	"context"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. It only records the refund. An operator transfers the money.
func (p *Provider) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	var refund engine.ReturnedPayment       // of this request
	var refundTotal billing.ReturnedPayment // the sum of the refunds of the invoice
	var organisation string
	out, err := ledger.DoOnce(ctx, p.Ledger, "refund", req.Key, req, func(tx plugin.Tx) (billing.Invoice, error) {
		customerID, err := p.CustomerIDOfInvoice(ctx, tx, req.InvoiceID)
		if err != nil {
			return billing.Invoice{}, err
		}
		r, err := p.UpdateInTx(ctx, tx, customerID, ledger.Scope{AllInvoices: true}, func(r *ledger.Record) error {
			if refund, err = r.Account.RecordRefund(req.InvoiceID, req.Amount); err != nil {
				return err
			}
			organisation, refundTotal = r.Customer.OrganisationID, r.TotalRefund(r.Account.Invoice(req.InvoiceID))
			amount := -req.Amount.Minor()
			return storeTransfer(ctx, tx, transferRow{
				Reference: req.Key, InvoiceID: req.InvoiceID, Amount: amount, Applied: amount, RecordedAt: r.Account.Now.Unix(),
			})
		})
		if err != nil {
			return billing.Invoice{}, err
		}
		return r.BillingInvoice(r.Invoice(req.InvoiceID)), nil
	})
	if err == nil && refund.Spent > 0 {
		payment.ReportSpentCredit(ctx, p.Log, organisation, refundTotal)
	}
	return out, err
}
