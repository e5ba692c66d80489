package enginepayment

import (
	"context"
	"fmt"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Refund implements payment.Provider. It sends the refund to the gateway; if that fails, the worker sends it again.
func (p *Provider) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	if !p.Capabilities().Has(payment.Refunds) {
		return billing.Invoice{}, payment.Unsupported(payment.Refunds)
	}
	var refund engine.ReturnedPayment       // of this request
	var refundTotal billing.ReturnedPayment // the sum of the refunds of the invoice
	customerID, err := ledger.DoOnce(ctx, p.Ledger, "refund", req.Key, req, func(tx plugin.Tx) (string, error) {
		customerID, err := p.CustomerIDOfInvoice(ctx, tx, req.InvoiceID)
		if err != nil {
			return "", err
		}
		_, err = p.UpdateInTx(ctx, tx, customerID, ledger.Scope{AllInvoices: true}, func(r *ledger.Record) error {
			refund, err = r.Account.RequestRefund("gref_"+req.Key, req.InvoiceID, req.Amount)
			refundTotal = r.TotalRefund(r.Account.Invoice(req.InvoiceID))
			return err
		})
		return customerID, err
	})
	if err != nil {
		return billing.Invoice{}, err
	}
	if _, err := p.processOutbox(ctx, customerID, sendTimeout); err != nil {
		p.Log.WarnContext(ctx, "a refund was not sent yet; the worker continues", "error", err)
	}
	var out billing.Invoice
	var organisation string
	err = p.Read(ctx, customerID, ledger.Scope{InvoiceID: req.InvoiceID}, func(_ plugin.Tx, r *ledger.Record) error {
		out, organisation = r.BillingInvoice(r.Invoice(req.InvoiceID)), r.Customer.OrganisationID
		return nil
	})
	if err == nil && refund.Spent > 0 {
		payment.ReportSpentCredit(ctx, p.Log, organisation, refundTotal)
	}
	return out, err
}

// changedRefund is a refund that the gateway reports with another amount than before. The recorded amount stays.
type changedRefund struct {
	ref                string
	recorded, reported money.Amount
}

// findChangedRefunds returns the refunds in the results whose amount differs from the recorded one and from that of the last
// report.
func findChangedRefunds(a *engine.Account, results []result) (changed []changedRefund) {
	for _, res := range results {
		for _, reported := range res.payment.Refunds {
			for _, r := range a.Refunds {
				recorded := ledger.Amount(r.Amount, r.Currency)
				isNew := recorded != reported.Amount && r.ReportedAmount != reported.Amount.Minor()
				if r.Ref != "" && r.Ref == reported.Ref && isNew {
					changed = append(changed, changedRefund{r.Ref, recorded, reported.Amount})
				}
			}
		}
	}
	return changed
}

// newReturns contains the changes of refunds and disputes in the results of a batch, for the log.
type newReturns struct {
	refunds     []changedRefund
	disputes    []openedDispute
	spentBefore map[string]billing.ReturnedPayment // see paymentsWithSpentCredit
}

// findNewReturns returns the changes that the results will make. Call it before the results are applied, with a record
// that contains all invoices.
func findNewReturns(r *ledger.Record, results []result) newReturns {
	return newReturns{
		refunds: findChangedRefunds(r.Account, results), disputes: findOpenedDisputes(r, results),
		spentBefore: paymentsWithSpentCredit(r),
	}
}

// logReturns logs the changes that staff have to know about. r is the record after the results were applied.
func (p *Provider) logReturns(ctx context.Context, r *ledger.Record, returns newReturns) {
	for _, c := range returns.refunds {
		p.Log.ErrorContext(ctx, "the gateway has changed the amount of a refund", "org", r.Customer.OrganisationID, "refund", c.ref,
			"recorded", c.recorded, "reported", c.reported)
	}
	for _, d := range returns.disputes {
		p.Log.WarnContext(ctx, "a payment is disputed", "org", r.Customer.OrganisationID, "invoice", d.invoiceNumber,
			"dispute", d.Ref, "amount", d.Amount, "reason", d.Reason)
	}
	for key, returned := range paymentsWithSpentCredit(r) {
		if returned.Spent.Minor() > returns.spentBefore[key].Spent.Minor() {
			payment.ReportSpentCredit(ctx, p.Log, r.Customer.OrganisationID, returned)
		}
	}
}

// paymentsWithSpentCredit returns the returned payments whose credit the customer had already spent, by kind and invoice
// id.
func paymentsWithSpentCredit(r *ledger.Record) map[string]billing.ReturnedPayment {
	spent := map[string]billing.ReturnedPayment{}
	for _, inv := range r.Account.Invoices {
		if inv.Refund.Spent > 0 {
			spent["refund "+inv.ID] = r.TotalRefund(inv)
		}
		if inv.Dispute.Spent > 0 {
			spent["dispute "+inv.ID] = r.TotalDispute(inv)
		}
	}
	return spent
}

const selectAttemptsOfInvoicesSQL = "SELECT document FROM gateway_attempts WHERE invoice_id IN (%s) ORDER BY position"

// receivedPayments returns the payments that have arrived for invoices, by invoice id, oldest first. It includes those that
// the bank has taken back.
func receivedPayments(
	ctx context.Context, tx plugin.Tx, invoices []ledger.Invoice,
) (map[string][]billing.ReceivedPayment, error) {
	ids := make([]any, len(invoices))
	for i, inv := range invoices {
		ids[i] = inv.ID
	}
	query := fmt.Sprintf(selectAttemptsOfInvoicesSQL, ledger.Placeholders(len(ids)))
	attempts, err := ledger.QueryDocuments[engine.Attempt](ctx, tx, query, ids...)
	paymentsByInvoice := map[string][]billing.ReceivedPayment{}
	for _, a := range attempts {
		if a.State != engine.AttemptPaid && a.State != engine.AttemptReturned {
			continue
		}
		received := billing.ReceivedPayment{
			Amount: ledger.Amount(a.Amount-a.Surplus, a.Currency), Excess: ledger.Amount(a.Surplus, a.Currency), At: a.PaidAt,
		}
		if a.MethodDetails != (billing.PaymentMethod{}) {
			received.Method = &a.MethodDetails
		}
		paymentsByInvoice[a.Invoice] = append(paymentsByInvoice[a.Invoice], received)
	}
	return paymentsByInvoice, err
}
