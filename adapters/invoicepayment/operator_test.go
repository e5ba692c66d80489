package invoicepayment

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestApproveOrganisation_StartsThePendingOrder(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	s := e.mustSubscribe(t, 7)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Nil(t, s.LatestInvoice)
	c, err := e.Customer(t.Context(), s.CustomerID)
	require.NoError(t, err)

	e.advanceAndReadSubscription(t, s.ID, 3*day)
	startedCount, err := e.ApproveOrganisation(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, 1, startedCount)
	s = e.advanceAndReadSubscription(t, s.ID, 3*day+time.Hour)
	assert.Equal(t, billing.Trialing, s.Status)
	assert.Equal(t, noon.Add(10*day), s.TrialEnd)
	startedCount, err = e.ApproveOrganisation(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Zero(t, startedCount)
}

func TestSubscribe_OrderExpiresWithoutApproval(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	s := e.mustSubscribe(t, 0)
	assert.Equal(t, billing.IncompleteExpired, e.advanceAndReadSubscription(t, s.ID, 31*day).Status)
}

func TestApproveOrganisation_ApprovesLaterSubscriptionsOfTheOrganisation(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	c := e.newCustomer(t)
	_, err := e.subscribe(t, c, 0)
	require.NoError(t, err)
	countOrders := func() int {
		orders, err := e.PendingOrders(t.Context())
		require.NoError(t, err)
		return len(orders)
	}
	assert.Equal(t, 1, countOrders())
	_, err = e.ApproveOrganisation(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Zero(t, countOrders())
	_, err = e.VoidInvoice(t.Context(), "1")
	require.NoError(t, err)

	secondSub, err := e.subscribe(t, c, 0)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, secondSub.Status)
	otherSub := e.mustSubscribe(t, 0)
	assert.Equal(t, billing.Incomplete, otherSub.Status, "another organisation is not approved")
}

func TestPendingOrders_IgnoresDeletedCustomers(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	deletedCustomer, otherCustomer := e.newCustomer(t), e.newCustomer(t)
	for _, c := range []billing.Customer{deletedCustomer, otherCustomer} {
		_, err := e.subscribe(t, c, 0)
		require.NoError(t, err)
	}
	require.NoError(t, e.DeleteCustomer(t.Context(), deletedCustomer.ID))
	orders, err := e.PendingOrders(t.Context())
	require.NoError(t, err)
	require.Len(t, orders, 1)
	assert.Equal(t, otherCustomer.OrganisationID, orders[0].OrganisationID)
}

func TestVoidInvoice_CancelsThePendingChange(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	_, err := e.ChangePlan(t.Context(), payment.PriceChange{
		Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional,
	})
	require.NoError(t, err)
	_, err = e.VoidInvoice(t.Context(), "2")
	require.NoError(t, err)
	s = e.advanceAndReadSubscription(t, s.ID, time.Hour)
	assert.Nil(t, s.Pending)
	assert.Equal(t, standard, s.Price)
	assert.Equal(t, billing.Active, s.Status)
	_, err = e.VoidInvoice(t.Context(), "1")
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "a paid invoice can't be voided")
}

func TestVoidInvoice_EndsTheSubscriptionIfItsPeriodIsNotPaid(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	info, err := e.VoidInvoice(t.Context(), e.invoiceNumber(t, s.LatestInvoice.ID))
	require.NoError(t, err)
	assert.Equal(t, billing.InvoiceVoid, info.Status)
	assert.Equal(t, billing.Canceled, info.SubscriptionStatus)
}

func TestChanges_AreRolledBackWithoutTheirEntry(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	transfer := e.newTransfer(t, s, "10", "ANZ 1")
	for name, confirm := range map[string]payment.Confirm{
		"not confirmed":   func(payment.TransferChange) (audit.Entry, error) { return audit.Entry{}, errors.New("canceled") },
		"a refused entry": func(payment.TransferChange) (audit.Entry, error) { return audit.Entry{Kind: "unknown"}, nil },
	} {
		_, err := e.Provider.RecordPayment(t.Context(), transfer, confirm)
		assert.Error(t, err, name)
		_, err = e.Provider.VoidInvoice(t.Context(), transfer.InvoiceNumber, confirm)
		assert.Error(t, err, name)
		_, err = e.Provider.ApproveOrganisation(t.Context(), "org_1", confirm)
		assert.Error(t, err, name)
	}
	transfers, err := e.ListTransfers(t.Context(), "")
	require.NoError(t, err)
	assert.Empty(t, transfers)
	invoices, err := e.ListInvoiceInfo(t.Context(), payment.InvoiceFilter{Number: transfer.InvoiceNumber})
	require.NoError(t, err)
	assert.Equal(t, "AUD 39.00", invoices[0].Balance.FormatWithCode())
}
