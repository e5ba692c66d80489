package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	defaultInvoicesPerPage = 12
	maxInvoicesPerPage     = 100
)

// ListInvoices lists the organisation's invoices.
type ListInvoices struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	provider payment.Invoices
}

// Do returns a page of at most limit invoices, newest first; limit 0 means the default. The page begins after the invoice
// with the id after; "" means the first page. Each invoice has its TimeZone. If an invoice is being paid, its Payment has
// the status Processing. An organisation without a customer has no invoices. Do returns Invalid for a limit outside 0 to
// 100, and NotFound when after is unknown or belongs to another organisation.
func (u *ListInvoices) Do(ctx context.Context, caller identity.Identity, limit int, after string) (payment.InvoiceList, error) {
	if err := caller.Require(account.Read); err != nil {
		return payment.InvoiceList{}, err
	}
	var fields fault.Fields
	fields.Check(0 <= limit && limit <= maxInvoicesPerPage, "limit", "limit must be from 1 to 100")
	if err := fields.Err(); err != nil {
		return payment.InvoiceList{}, err
	}
	if limit == 0 {
		limit = defaultInvoicesPerPage
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return payment.InvoiceList{}, err
	}
	page, err := u.provider.ListInvoices(ctx, payment.InvoiceQuery{
		CustomerID: org.Billing.CustomerID, Limit: limit, After: after,
	})
	if err != nil {
		return payment.InvoiceList{}, fault.ReplaceNotFound(err, errNoInvoice())
	}
	storedInvoices, err := u.store.Invoices(ctx, org.ID)
	page.Invoices = billing.SetTimeZones(page.Invoices, storedInvoices, org.TimeZone())
	if processingPayment := org.Billing.ProcessingPayment(); processingPayment != nil {
		markInvoiceProcessing(page.Invoices, processingPayment.InvoiceID)
	}
	return page, err
}

// markInvoiceProcessing gives the invoice with the id a Payment with the status Processing, because the provider's lists
// contain no payments.
func markInvoiceProcessing(invoices []billing.Invoice, id string) {
	for i := range invoices {
		if invoices[i].ID == id {
			invoices[i].Payment = &billing.Intent{Status: billing.Processing}
		}
	}
}

// DownloadInvoicePDF returns an invoice as a document.
type DownloadInvoicePDF struct {
	store    storage.Organisations
	provider payment.Invoices
}

// Do returns the document with the invoice's number. It returns NotFound for an unknown invoice, and the same error for
// an invoice of another organisation. It returns Unsupported if the provider makes no documents.
func (u *DownloadInvoicePDF) Do(ctx context.Context, caller identity.Identity, invoiceID string) (payment.InvoiceDocument, error) {
	if err := caller.Require(account.Read); err != nil {
		return payment.InvoiceDocument{}, err
	}
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

// DownloadCreditNotePDF returns a credit note of an invoice as a document.
type DownloadCreditNotePDF struct {
	store    storage.Organisations
	provider payment.Invoices
}

// Do returns the credit note with the number. It returns NotFound if the organisation has no such invoice or the invoice
// has no such credit note, and Unsupported if the provider makes no documents.
func (u *DownloadCreditNotePDF) Do(
	ctx context.Context, caller identity.Identity, invoiceID, number string,
) (payment.InvoiceDocument, error) {
	if err := caller.Require(account.Read); err != nil {
		return payment.InvoiceDocument{}, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	if org.Billing.CustomerID == "" || invoiceID == "" || number == "" {
		return payment.InvoiceDocument{}, errNoCreditNote()
	}
	document, err := u.provider.CreditNotePDF(ctx, org.Billing.CustomerID, invoiceID, number)
	return document, fault.ReplaceNotFound(err, errNoCreditNote())
}

func errNoCreditNote() error { return fault.New(fault.NotFound, "There is no such credit note.") }

// ReportTransfer records that the customer reported having paid an invoice by bank transfer.
type ReportTransfer struct {
	store storage.Organisations
	clock clock.Clock
}

// Do pauses the reminders about the invoice for five days. The invoice stays open until the payment is recorded. Do
// returns Conflict unless the invoice is the one that the customer is to pay next by bank transfer.
func (u *ReportTransfer) Do(ctx context.Context, caller identity.Identity, invoiceID string) error {
	if err := caller.Require(account.ManageBilling); err != nil {
		return err
	}
	_, err := u.store.UpdateOrganisation(ctx, caller.OrganisationID, func(o *account.Organisation) error {
		return o.Billing.ReportTransfer(invoiceID, u.clock.Now())
	})
	return err
}

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }
