package enginepayment

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// openedDispute is a dispute that the gateway reports for the first time.
type openedDispute struct {
	gateway.Dispute
	invoiceNumber string
}

// findOpenedDisputes returns the open disputes in the results that are not recorded yet. An operator has to answer them.
func findOpenedDisputes(r *ledger.Record, results []result) (opened []openedDispute) {
	for _, res := range results {
		attempt, err := r.Account.Attempt(res.key)
		if err != nil {
			continue
		}
		inv := r.Account.Invoice(attempt.Invoice)
		for _, d := range res.payment.Disputes {
			isSame := func(recorded engine.Return) bool { return recorded.Ref == d.Ref }
			if d.Status == billing.DisputeOpen && !slices.ContainsFunc(inv.Returns, isSame) {
				opened = append(opened, openedDispute{d, r.Terms.InvoiceNumber(inv.Number)})
			}
		}
	}
	return opened
}

// InvoicePayment identifies a payment that has arrived for an invoice.
type InvoicePayment struct {
	Ref                        string // of the payment at the gateway
	CustomerID, OrganisationID string
}

// PaymentOfInvoice returns the payment that has arrived for the invoice with the printed number, for tools that act at the
// gateway. It returns NotFound if there is no such invoice or payment.
func (p *Provider) PaymentOfInvoice(ctx context.Context, number string) (found InvoicePayment, err error) {
	var row struct {
		ID         string `db:"id"`
		CustomerID string `db:"customer_id"`
	}
	digits, hasPrefix := strings.CutPrefix(number, p.NumberPrefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !hasPrefix {
		return found, errNoPaymentOfInvoice
	}
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &row, "SELECT id, customer_id FROM gateway_invoices WHERE number = ?", n)
	})
	if err != nil {
		return found, ledger.AsFault(fault.ReplaceNotFound(err, errNoPaymentOfInvoice))
	}
	err = p.Read(ctx, row.CustomerID, ledger.Scope{InvoiceID: row.ID}, func(_ plugin.Tx, r *ledger.Record) error {
		i := slices.IndexFunc(r.Account.Attempts, func(attempt engine.Attempt) bool {
			return attempt.Invoice == row.ID && attempt.State == engine.AttemptPaid
		})
		if i < 0 {
			return errNoPaymentOfInvoice
		}
		found = InvoicePayment{r.Account.Attempts[i].Ref, row.CustomerID, r.Customer.OrganisationID}
		return nil
	})
	return found, err
}

var errNoPaymentOfInvoice = fault.New(fault.NotFound, "No payment of an invoice with this number has arrived.")
