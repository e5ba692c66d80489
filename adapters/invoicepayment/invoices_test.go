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
	e, s := newEnvWithSubscription(t)
	original, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	_, err = e.UpdateCustomer(t.Context(), payment.CustomerUpdate{
		Key: rand.Text(), CustomerID: s.CustomerID, Details: account.BillingDetails{LegalName: "Southside Clinic Pty Ltd"},
	})
	require.NoError(t, err)
	pdf, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	assert.Equal(t, original, pdf)
	assert.Equal(t, "Northside Clinic", e.readInvoice(t, s.LatestInvoice.ID).Buyer.Name)
}
