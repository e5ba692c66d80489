package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/ports/payment"
)

// InvoicePDF returns the invoice as a PDF document.
func (p *Provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	var document invoicepdf.Document
	err := p.transact(ctx, func(t *tx) error {
		c, err := t.customer(customerID)
		if err != nil {
			return errNoInvoice()
		}
		inv, found := t.invoices.get(invoiceID)
		if !found || inv.Customer != customerID {
			return errNoInvoice()
		}
		document = invoicepdf.Document{
			Invoice: t.listedInvoice(inv), Seller: p.Seller, Buyer: invoicepdf.NewBuyer(c.Organisation, inv.Buyer.Name, inv.Buyer.Details),
			PurchaseOrder: inv.Buyer.Details.PurchaseOrder, Tax: t.taxName(inv.Currency),
		}
		return nil
	})
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	pdf, err := invoicepdf.Render(document)
	return payment.InvoiceDocument{Number: document.Invoice.Number, PDF: pdf}, err
}

// taxName returns the name and the percentage of the tax that prices in the currency include, or "".
func (t *tx) taxName(currency string) string {
	if taxes, ok := t.prices.(Taxes); ok {
		tax, _ := taxes.Tax(currency)
		return tax.Label()
	}
	return ""
}
