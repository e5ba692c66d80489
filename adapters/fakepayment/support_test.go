package fakepayment_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

func aud(t *testing.T, minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	require.NoError(t, err)
	return amount
}

func listInvoices(t *testing.T, p *fakepayment.Provider, customerID string) []billing.Invoice {
	t.Helper()
	list, err := p.ListInvoices(t.Context(), payment.InvoicePage{CustomerID: customerID, Limit: 100})
	require.NoError(t, err)
	return list.Invoices
}

func TestRefundAndDispute_EmitEventsAboutTheSubscription(t *testing.T) {
	for eventType, returnPayment := range map[string]func(*env, string) error{
		"charge.dispute.created": func(e *env, invoiceID string) error { return e.Dispute(t.Context(), invoiceID) },
		"charge.refunded": func(e *env, invoiceID string) error {
			_, err := e.Refund(t.Context(), payment.Refund{Key: newKey(), InvoiceID: invoiceID, Amount: aud(t, 100)})
			return err
		},
	} {
		e := newEnv(t)
		s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)

		require.NoError(t, returnPayment(e, s.LatestInvoice.ID))

		events := e.events(t)
		i := slices.IndexFunc(events, func(e payment.Event) bool { return e.Type == eventType })
		require.GreaterOrEqual(t, i, 0, eventType)
		assert.Equal(t, payment.SubscriptionChanged, events[i].Kind)
		assert.Equal(t, []string{s.CustomerID, s.ID}, []string{events[i].CustomerID, events[i].SubscriptionID})
	}
}

func TestSubscribe_AmountBelowTheMinimumIsCarriedOver(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	_, err := e.AddCredit(t.Context(), payment.Credit{Key: newKey(), CustomerID: customerID, Amount: aud(t, 3851)})
	require.NoError(t, err)

	s := subscribe(t, e.Provider, customerID, "standard_monthly", 0)

	assert.Equal(t, billing.Active, s.Status)
	assert.Zero(t, amountBilled(t, e.Provider, s), "0.49 is not charged")
	c, err := e.Customer(t.Context(), customerID)
	require.NoError(t, err)
	assert.Equal(t, aud(t, -49), c.Credit)
	e.advanceTo(t, date(2026, 4, 1))
	assert.Equal(t, 3949, amountBilled(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
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
	pdf := func() []byte {
		document, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
		require.NoError(t, err)
		return document.PDF
	}
	before := pdf()

	_, err := e.UpdateCustomer(t.Context(), payment.CustomerUpdate{
		Key: newKey(), CustomerID: s.CustomerID, Details: account.BillingDetails{LegalName: "Klinika Łódź"},
	})

	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, pdf()), "the document is unchanged")
	s = changePlan(t, e.Provider, s, "professional_yearly")
	assert.True(t, bytes.HasPrefix(pdf(), []byte("%PDF-")))
	require.NoError(t, e.Read(t.Context(), func(snapshot fakepayment.Snapshot) error {
		inv, _ := snapshot.Invoice(s.LatestInvoice.ID)
		assert.Equal(t, "Klinika Łódź", inv.Buyer.Details.LegalName)
		return nil
	}))
}
