package former

import (
	"context"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// InvoicePDF implements payment.Provider. While the invoice is open, it shows how to pay it.
func (p *Provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	var document invoicepdf.Document
	err := p.read(ctx, customerID, func(l *ledger) error {
		inv := l.invoice(invoiceID)
		if inv.ID == "" {
			return errNoInvoice()
		}
		document = invoicepdf.Document{
			Invoice: l.billingInvoice(inv), Seller: p.Seller, Buyer: invoicepdf.NewBuyer(l.customer.Organisation, inv.Buyer.Name, inv.Buyer.Details),
			PurchaseOrder: inv.Buyer.Details.PurchaseOrder, Tax: inv.TaxName,
		}
		if inv.Status == billing.InvoiceOpen {
			for _, line := range l.instructions(inv) {
				document.HowToPay = append(document.HowToPay, invoicepdf.Fact(line))
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
	pdf, err := invoicepdf.Render(document)
	return payment.InvoiceDocument{Number: document.Invoice.Number, PDF: pdf}, err
}
