package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	invoicesPerPage    = 12
	maxInvoicesPerPage = 100
)

// ListInvoices lists the organisation's invoices.
type ListInvoices struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	provider payment.Invoices
}

// Do returns a page of at most limit invoices, 0 for the default, newest first, after the invoice with the id; ""
// for the first page. Each has its TimeZone, and one whose payment is on its way has a Payment that is Processing.
// An organisation without a customer has none. A limit outside of 0 to 100 is Invalid, and an unknown or foreign
// invoice NotFound.
func (u *ListInvoices) Do(ctx context.Context, caller identity.Identity, limit int, after string) (payment.InvoiceList, error) {
	var fields fault.Fields
	fields.Check(0 <= limit && limit <= maxInvoicesPerPage, "limit", "limit must be from 1 to 100")
	if err := fields.Err(); err != nil {
		return payment.InvoiceList{}, err
	}
	if limit == 0 {
		limit = invoicesPerPage
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return payment.InvoiceList{}, err
	}
	page, err := u.provider.ListInvoices(ctx, payment.InvoicePage{CustomerID: org.Billing.CustomerID, Limit: limit, After: after})
	if err != nil {
		return payment.InvoiceList{}, fault.ReplaceNotFound(err, errNoInvoice())
	}
	invoices, err := u.store.Invoices(ctx, org.ID)
	page.Invoices = billing.WithTimeZones(page.Invoices, invoices, org.TimeZone())
	if processing := org.Billing.ProcessingPayment(); processing != nil {
		markProcessing(page.Invoices, processing.InvoiceID)
	}
	return page, err
}

// markProcessing sets the Payment of the invoice, which lists do not contain, as one that is on its way.
func markProcessing(invoices []billing.Invoice, id string) {
	for i := range invoices {
		if invoices[i].ID == id {
			invoices[i].Payment = &billing.Intent{Status: billing.Processing}
		}
	}
}

// InvoicePDF returns an invoice as a document.
type InvoicePDF struct {
	store    storage.Organisations
	provider payment.Invoices
}

// Do returns the document with the invoice's number. NotFound, the same for an unknown invoice and for one of
// another organisation; Unsupported if the provider makes no documents.
func (u *InvoicePDF) Do(ctx context.Context, caller identity.Identity, invoiceID string) (payment.InvoiceDocument, error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	if org.Billing.CustomerID == "" || invoiceID == "" {
		return payment.InvoiceDocument{}, errNoInvoice()
	}
	document, err := u.provider.InvoicePDF(ctx, org.Billing.CustomerID, invoiceID)
	return document, fault.ReplaceNotFound(err, errNoInvoice())
}

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }
