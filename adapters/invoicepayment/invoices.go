package invoicepayment

import (
	"context"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// olderThan restricts selectInvoices to the invoices after one on the page before.
const olderThan = " AND i.number < ?"

// ListInvoices returns the customer's invoices, newest first.
func (p *Provider) ListInvoices(ctx context.Context, req payment.InvoicePage) (out payment.InvoiceList, err error) {
	err = p.readInTx(ctx, req.CustomerID, scope{}, func(tx plugin.Tx, l *ledger) error {
		out, err = l.invoicePage(ctx, tx, req)
		return err
	})
	return out, err
}

func (l *ledger) invoicePage(ctx context.Context, tx plugin.Tx, req payment.InvoicePage) (out payment.InvoiceList, err error) {
	if err := req.Check(); err != nil {
		return out, err
	}
	query, args := selectInvoices, []any{l.customer.ID}
	if req.After != "" {
		last, err := queryInvoices(ctx, tx, query+" AND i.id = ?", l.customer.ID, req.After)
		if err != nil {
			return out, err
		}
		if len(last) == 0 {
			return out, errNoInvoice()
		}
		query, args = query+olderThan, append(args, last[0].Number)
	}
	found, err := queryInvoices(ctx, tx, query+newestInvoicesFirst+" LIMIT ?", append(args, req.Limit+1)...)
	if err != nil {
		return out, err
	}
	out.HasMore = len(found) > req.Limit
	found = found[:min(req.Limit, len(found))]
	received, err := receivedTransfers(ctx, tx, found)
	for _, inv := range found {
		listed := l.billingInvoice(inv)
		listed.BilledTo = inv.Buyer.Details.Buyer(inv.Buyer.Name)
		listed.Received = receivedPayments(received[inv.ID], inv.Currency)
		out.Invoices = append(out.Invoices, listed)
	}
	return out, err
}

// invoice returns an invoice of the ledger, or the zero invoice.
func (l *ledger) invoice(id string) invoice { return invoice{l.account.Invoice(id), l.documents[id]} }

func (l *ledger) billingInvoice(inv invoice) billing.Invoice {
	return billing.Invoice{
		ID: inv.ID, Number: l.Terms.Number(inv.Number), SubscriptionID: inv.Subscription, Status: inv.Status,
		Lines: engine.BillingLines(inv.Lines, l.Catalogue.PlanName), HasPDF: true,
		Tax: amountOf(inv.Tax, inv.Currency), Total: amountOf(inv.Total, inv.Currency), CreditUsed: amountOf(inv.Credit, inv.Currency),
		AmountDue: amountOf(inv.Due, inv.Currency), AmountPaid: amountOf(inv.Paid, inv.Currency),
		Refunded: amountOf(inv.Refunded, inv.Currency), Credited: amountOf(inv.AllCredited(), inv.Currency),
		CreatedAt: inv.Created, DueAt: inv.DueAt, PaidAt: inv.PaidAt, TimeZone: inv.zone(),
	}
}

// instructions returns what a customer needs to pay an open invoice.
func (p *Provider) instructions(inv invoice) []billing.Instruction {
	var lines []billing.Instruction
	for _, field := range p.Terms.Account {
		lines = append(lines, billing.Instruction(field))
	}
	return append(lines,
		billing.Instruction{Label: "Reference", Value: p.Terms.Number(inv.Number)},
		billing.Instruction{Label: "Amount", Value: amountOf(inv.Balance(), inv.Currency).FormatWithSymbol() + " " + inv.Currency},
		billing.Instruction{Label: "Due", Value: inv.zone().Date(inv.DueAt)},
	)
}

// InvoicePDF implements payment.Provider. While the invoice is open, it shows how to pay it.
func (p *Provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	var pdf invoicepdf.Document
	err := p.readInTx(ctx, customerID, scope{invoice: invoiceID}, func(tx plugin.Tx, l *ledger) error {
		inv := l.invoice(invoiceID)
		if inv.ID == "" {
			return errNoInvoice()
		}
		received, err := receivedTransfers(ctx, tx, []invoice{inv})
		if err != nil {
			return err
		}
		pdf = invoicepdf.Document{
			Invoice: l.billingInvoice(inv), Seller: p.Seller, Buyer: invoicepdf.NewBuyer(l.customer.Organisation, inv.Buyer.Name, inv.Buyer.Details),
			PurchaseOrder: inv.Buyer.Details.PurchaseOrder, Tax: inv.TaxName,
		}
		pdf.Invoice.Received = receivedPayments(received[inv.ID], inv.Currency)
		if inv.Status == billing.InvoiceOpen {
			for _, line := range l.instructions(inv) {
				pdf.HowToPay = append(pdf.HowToPay, invoicepdf.Fact(line))
			}
		}
		return nil
	})
	if fault.Is(err, fault.NotFound) {
		return payment.InvoiceDocument{}, errNoInvoice()
	}
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	rendered, err := invoicepdf.Render(pdf)
	return payment.InvoiceDocument{Number: pdf.Invoice.Number, PDF: rendered}, err
}
