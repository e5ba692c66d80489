package fakepayment_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

func listInvoices(t *testing.T, p *fakepayment.Provider, customerID string) []billing.Invoice {
	t.Helper()
	list, err := p.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: customerID, Limit: 100})
	require.NoError(t, err)
	return list.Invoices
}

func TestListInvoices_NamesPlansAndTaxOfTheCatalogue(t *testing.T) {
	e := newEnv(t, func(c *fakepayment.Config) { c.Prices = catalogue.Default() })
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "professional_yearly", 0)
	s = changePlan(t, e.Provider, s, "standard_monthly")

	invoices := listInvoices(t, e.Provider, s.CustomerID)

	require.Len(t, invoices, 2)
	assert.Equal(t, "Unused time on Professional", invoices[0].Lines[0].Description)
	assert.Equal(t, "Standard", invoices[0].Lines[1].Description)
	assert.Equal(t, "Professional", invoices[1].Lines[0].Description)
	total := invoices[1].Total
	assert.Equal(t, catalogue.Default().TaxIncluded(total), invoices[1].Tax)
	assert.Positive(t, invoices[1].Tax.Minor())
	assert.True(t, strings.HasSuffix(invoices[0].Number, "-0002"), invoices[0].Number)
	assert.Equal(t, noon, invoices[1].PaidAt)
}

func TestInvoicePDF_KeepsTheBuyerAfterTheCustomerIsRenamed(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	renderPDF := func() []byte {
		document, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
		require.NoError(t, err)
		return document.PDF
	}
	originalPDF := renderPDF()

	_, err := e.UpdateCustomer(t.Context(), payment.CustomerUpdate{
		Key: newKey(), CustomerID: s.CustomerID, Details: account.BillingDetails{LegalName: "Klinika Łódź"},
	})

	require.NoError(t, err)
	assert.True(t, bytes.Equal(originalPDF, renderPDF()), "the document is unchanged")
	s = changePlan(t, e.Provider, s, "professional_yearly")
	assert.True(t, bytes.HasPrefix(renderPDF(), []byte("%PDF-")))
	require.NoError(t, e.Read(t.Context(), func(snapshot fakepayment.Snapshot) error {
		inv, _ := snapshot.Invoice(s.LatestInvoice.ID)
		assert.Equal(t, "Klinika Łódź", inv.Buyer.Details.LegalName)
		return nil
	}))
}

func TestInvoicePDF_StatesThatAnInvoiceIsOverdue(t *testing.T) {
	e := newEnv(t)
	overdueSub := subscribe(t, e.Provider, newCustomer(t, e.Provider, cardDeclinedWhenCharged), "standard_yearly", 7)
	paidSub := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 7)
	e.advance(t, 8*24*time.Hour)
	overdueSub, paidSub = getSubscription(t, e.Provider, overdueSub.ID), getSubscription(t, e.Provider, paidSub.ID)
	require.Equal(t, billing.PastDue, overdueSub.Status)

	for want, s := range map[bool]billing.Subscription{true: overdueSub, false: paidSub} {
		isOverdue, err := e.IsDocumentOverdue(t.Context(), s.CustomerID, s.LatestInvoice.ID)
		require.NoError(t, err)
		assert.Equal(t, want, isOverdue)
	}
}
