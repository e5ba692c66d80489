package app_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// invoicesProvider is a provider with one invoice.
type invoicesProvider struct {
	payment.Provider
	customerID string               // the owner of the invoice
	lastPage   payment.InvoiceQuery // the last request of ListInvoices
}

func (p *invoicesProvider) ListInvoices(_ context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	p.lastPage = req
	return payment.InvoiceList{Invoices: []billing.Invoice{{ID: "in_1"}}, HasMore: true}, nil
}

func (p *invoicesProvider) InvoicePDF(_ context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	if customerID != p.customerID {
		return payment.InvoiceDocument{}, fault.Newf(fault.NotFound, "The invoice %s is not yours.", invoiceID)
	}
	return payment.InvoiceDocument{PDF: []byte("%PDF")}, nil
}

func TestListInvoices_AcceptsALimitOfAtMost100(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	p := &invoicesProvider{Provider: f.provider}
	f.UseCases = f.NewApp(f.Store, p)
	customerID := f.account(caller).CustomerID

	list, err := f.ListInvoices.Do(t.Context(), caller, 0, "")
	require.NoError(t, err)
	assert.True(t, list.HasMore)
	assert.Equal(t, payment.InvoiceQuery{CustomerID: customerID, Limit: 12}, p.lastPage)
	_, err = f.ListInvoices.Do(t.Context(), caller, 100, "in_1")
	require.NoError(t, err)
	assert.Equal(t, payment.InvoiceQuery{CustomerID: customerID, Limit: 100, After: "in_1"}, p.lastPage)
	for _, limit := range []int{-1, 101} {
		_, err = f.ListInvoices.Do(t.Context(), caller, limit, "")
		assertCode(t, fault.Invalid, err)
	}
}

func TestListInvoices_WithoutACustomerIsEmpty(t *testing.T) {
	f := newFixture(t)
	caller := f.signUpWithoutCustomer(flakypayment.TimeoutBeforeExecution)
	list, err := f.ListInvoices.Do(t.Context(), caller, 0, "")
	require.NoError(t, err)
	assert.Empty(t, list)
}

func TestDownloadInvoicePDF_InvoiceOfAnotherOrganisationIsNotFound(t *testing.T) {
	f := newFixture(t)
	caller, bob := f.signUp(), f.SignUpOnServer(f.UseCases, "bob").Identity
	f.UseCases = f.NewApp(f.Store, &invoicesProvider{Provider: f.provider, customerID: f.account(caller).CustomerID})

	document, err := f.DownloadInvoicePDF.Do(t.Context(), caller, "in_1")
	require.NoError(t, err)
	assert.Equal(t, "%PDF", string(document.PDF))
	_, err = f.DownloadInvoicePDF.Do(t.Context(), bob, "in_1")
	assert.EqualError(t, err, "not_found: There is no such invoice.")
}

func TestDownloadInvoicePDF_WithoutACustomerIsNotFound(t *testing.T) {
	f := newFixture(t)
	caller := f.signUpWithoutCustomer(flakypayment.TimeoutBeforeExecution)
	_, err := f.DownloadInvoicePDF.Do(t.Context(), caller, "in_1")
	assertCode(t, fault.NotFound, err)
}
