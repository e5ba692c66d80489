package enginepayment

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. The money is on its way when it returns, or the worker sends it.
func (p *Provider) Refund(ctx context.Context, req payment.Refund) (billing.Invoice, error) {
	if !p.Capabilities().Has(payment.Refunds) {
		return billing.Invoice{}, payment.Unsupported(payment.Refunds)
	}
	var settled engine.Returned
	var returned billing.ReturnedPayment
	customerID, err := ledger.Once(ctx, p.Ledger, "refund", req.Key, req, func(tx plugin.Tx) (string, error) {
		customerID, err := p.CustomerOfInvoice(ctx, tx, req.InvoiceID)
		if err != nil {
			return "", err
		}
		_, err = p.Change(ctx, tx, customerID, ledger.Scope{All: true}, func(r *ledger.Record) error {
			settled, err = r.Account.RequestRefund("gref_"+req.Key, req.InvoiceID, req.Amount)
			returned = refunded(r, r.Account.Invoice(req.InvoiceID))
			return err
		})
		return customerID, err
	})
	if err != nil {
		return billing.Invoice{}, err
	}
	if _, err := p.collect(ctx, customerID, sendTimeout); err != nil {
		p.Log.WarnContext(ctx, "a refund was not sent yet; the worker continues", "error", err)
	}
	var out billing.Invoice
	var organisation string
	err = p.Read(ctx, customerID, ledger.Scope{Invoice: req.InvoiceID}, func(_ plugin.Tx, r *ledger.Record) error {
		out, organisation = r.BillingInvoice(r.Invoice(req.InvoiceID)), r.Customer.Organisation
		return nil
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
				out = append(out, refunded(r, inv))
			}
			if inv.Dispute.Amount > 0 {
				out = append(out, returnedPayment(r, inv, inv.Dispute, billing.DisputeLost))
			}
		}
		slices.SortStableFunc(out, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
		return nil
	})
	return out, err
}

func refunded(r *ledger.Record, inv engine.Invoice) billing.ReturnedPayment {
	return returnedPayment(r, inv, inv.Refund, billing.NoDispute)
}

func returnedPayment(r *ledger.Record, inv engine.Invoice, settled engine.Returned, dispute billing.DisputeStatus) billing.ReturnedPayment {
	return billing.ReturnedPayment{
		Payment: r.Terms.Number(inv.Number), Dispute: dispute, Amount: ledger.Amount(settled.Amount, inv.Currency),
		Withdrawn: ledger.Amount(settled.Withdrawn, inv.Currency), Spent: ledger.Amount(settled.Spent, inv.Currency), At: settled.At,
	}
}

// receivedPayments returns the payments of invoices, oldest first, with the method of each.
func receivedPayments(ctx context.Context, tx plugin.Tx, invoices []ledger.Invoice) (map[string][]billing.ReceivedPayment, error) {
	ids := make([]any, len(invoices))
	for i, inv := range invoices {
		ids[i] = inv.ID
	}
	attempts, err := queryDocuments[engine.Attempt](ctx, tx,
		"SELECT a.document FROM gateway_attempts a WHERE a.invoice_id IN ("+ledger.Placeholders(len(ids))+") ORDER BY a.position", ids...)
	received := map[string][]billing.ReceivedPayment{}
	for _, at := range attempts {
		if at.State != engine.AttemptPaid {
			continue
		}
		got := billing.ReceivedPayment{
			Amount: ledger.Amount(at.Amount-at.Surplus, at.Currency), Excess: ledger.Amount(at.Surplus, at.Currency), At: at.PaidAt,
		}
		if at.With != (billing.PaymentMethod{}) {
			got.Method = &at.With
		}
		received[at.Invoice] = append(received[at.Invoice], got)
	}
	return received, err
}
