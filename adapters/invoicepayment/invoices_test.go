package invoicepayment

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/payment"
)

func TestInvoicePDF_IsUnchangedAfterTheCustomerIsRenamed(t *testing.T) {
	e, s := newSubscription(t)
	before, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	_, err = e.UpdateCustomer(t.Context(), payment.CustomerUpdate{
		Key: rand.Text(), CustomerID: s.CustomerID, Details: account.BillingDetails{LegalName: "Southside Clinic Pty Ltd"},
	})
	require.NoError(t, err)
	after, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	assert.Equal(t, "Northside Clinic", e.find(t, s.LatestInvoice.ID).Buyer.Name)
}
