package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// PlanNamer is an optional interface of Config.Prices. Without it, the name of a plan is its id. *catalogue.Catalogue
// implements it.
type PlanNamer interface {
	PlanName(id string) string
}

// TaxCalculator is an optional interface of Config.Prices. Without it, prices include no tax. *catalogue.Catalogue
// implements it.
type TaxCalculator interface {
	Tax(currency string) (catalogue.Tax, bool)
	TaxIncluded(amount money.Amount) money.Amount
}

// ListInvoices returns the customer's invoices, newest first.
func (p *Provider) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	return run(ctx, p, func(t *tx) (payment.InvoiceList, error) {
		if _, err := t.customer(req.CustomerID); err != nil {
			return payment.InvoiceList{}, err
		}
		var invoices []billing.Invoice
		for _, inv := range (Snapshot{t}).CustomerInvoices(req.CustomerID) {
			item := t.invoiceWithLines(inv)
			item.Seller, item.TaxName = p.config.Seller.Seller(), t.taxName(inv.Currency)
			invoices = append(invoices, item)
		}
		return payment.SelectPage(invoices, req)
	})
}

// invoiceWithLines returns the invoice with its lines and amounts, without the payment. Refund stores the
// result as JSON, so the result contains only fields that are encoded in JSON.
func (t *tx) invoiceWithLines(inv invoice) billing.Invoice {
	out := *t.billingInvoice(inv, t.subscriptions.rows[inv.SubscriptionID])
	out.Payment = nil
	out.SubscriptionID, out.Number, out.PaidAt, out.HasPDF = inv.SubscriptionID, inv.Number, inv.PaidAt, true
	out.Refunded, out.Credited = amountOf(inv.Refunded, inv.Currency), amountOf(0, inv.Currency)
	out.TimeZone, out.ReceivedPayments = inv.TimeZone, inv.receivedPayments()
	out.Returns = inv.Returns.Billing(inv.Number, func(minor int64) money.Amount { return amountOf(minor, inv.Currency) })
	out.Buyer = inv.Buyer.Details.Buyer(inv.Buyer.Name)
	out.Lines = engine.BillingLines(inv.Lines, t.PlanName)
	return out
}

// receivedPayments returns the payments of the invoice, oldest first. The method is unknown if an operator recorded the
// payment.
func (i invoice) receivedPayments() (payments []billing.ReceivedPayment) {
	add := func(minor int64, at time.Time, paidWith card) {
		p := billing.ReceivedPayment{Amount: amountOf(minor, i.Currency), Excess: amountOf(0, i.Currency), At: at}
		if method := paidWith.paidMethod(); method != (billing.PaymentMethod{}) {
			p.Method = &method
		}
		payments = append(payments, p)
	}
	for _, p := range i.BankReturned {
		add(p.Amount, p.PaidAt, p.Method)
	}
	if i.amountPaid() > 0 {
		add(i.amountPaid(), i.PaidAt, i.PaidWith)
	}
	return payments
}

// paidMethod returns the card as the method of a past payment, without its id; the zero value for the zero card.
func (cd card) paidMethod() billing.PaymentMethod {
	if cd == (card{}) {
		return billing.PaymentMethod{}
	}
	method := cd.paymentMethod()
	method.ID, method.Fingerprint, method.Card.Fingerprint = "", "", ""
	return method
}

// InvoicePDF returns the invoice as a PDF document.
func (p *Provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	document, err := p.invoiceDocument(ctx, customerID, invoiceID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	pdf, err := invoicepdf.Render(document)
	return payment.InvoiceDocument{Number: document.Invoice.Number, PDF: pdf}, err
}

// CreditNotePDF returns a credit note of the invoice as a PDF document.
func (p *Provider) CreditNotePDF(ctx context.Context, customerID, invoiceID, number string) (payment.InvoiceDocument, error) {
	document, err := p.invoiceDocument(ctx, customerID, invoiceID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	pdf, err := invoicepdf.RenderCreditNote(document, number)
	return payment.InvoiceDocument{Number: number, PDF: pdf}, err
}

// invoiceDocument returns the document of the customer's invoice.
func (p *Provider) invoiceDocument(ctx context.Context, customerID, invoiceID string) (invoicepdf.Document, error) {
	return run(ctx, p, func(t *tx) (invoicepdf.Document, error) {
		c, err := t.customer(customerID)
		if err != nil {
			return invoicepdf.Document{}, errNoInvoice()
		}
		inv, ok := t.invoices.get(invoiceID)
		if !ok || inv.CustomerID != customerID {
			return invoicepdf.Document{}, errNoInvoice()
		}
		billingInvoice := t.invoiceWithLines(inv)
		if t.isProcessing(inv.ID) {
			billingInvoice.Payment = &billing.Intent{Status: billing.Processing}
		}
		sub := t.billingSubscription(t.subscriptions.rows[inv.SubscriptionID])
		return invoicepdf.Document{
			Invoice: billingInvoice, Seller: p.config.Seller, IsOverdue: sub.IsInvoiceOverdue(inv.ID),
			Buyer:         invoicepdf.NewBuyer(c.OrganisationID, inv.Buyer.Name, inv.Buyer.Details),
			PurchaseOrder: inv.Buyer.Details.PurchaseOrder, Tax: t.taxName(inv.Currency),
		}, nil
	})
}

// PlanName implements engine.Catalogue.
func (t *tx) PlanName(id string) string {
	if plans, ok := t.config.Prices.(PlanNamer); ok {
		return plans.PlanName(id)
	}
	return id
}

// TaxIncluded implements engine.Catalogue.
func (t *tx) TaxIncluded(amount money.Amount) money.Amount {
	if taxes, ok := t.config.Prices.(TaxCalculator); ok {
		return taxes.TaxIncluded(amount)
	}
	return amountOf(0, amount.Currency().Code)
}

// taxName returns the name and the percentage of the tax that prices in the currency include, or "".
func (t *tx) taxName(currency string) string {
	if taxes, ok := t.config.Prices.(TaxCalculator); ok {
		tax, _ := taxes.Tax(currency)
		return tax.Label()
	}
	return ""
}
