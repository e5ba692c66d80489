package invoicepayment

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestAllow_StartsThePendingOrder(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	s := e.mustSubscribe(t, 7)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Nil(t, s.LatestInvoice)
	c, err := e.Customer(t.Context(), s.CustomerID)
	require.NoError(t, err)

	e.subscriptionAfter(t, s.ID, 3*day)
	started, err := e.Allow(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, 1, started)
	after := e.subscriptionAfter(t, s.ID, 3*day+time.Hour)
	assert.Equal(t, billing.Trialing, after.Status)
	assert.Equal(t, noon.Add(10*day), after.TrialEnd)
	second, err := e.Allow(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Zero(t, second)

	waiting := e.mustSubscribe(t, 0)
	assert.Equal(t, billing.IncompleteExpired, e.subscriptionAfter(t, waiting.ID, 34*day).Status)
}

func TestAllow_ApprovesLaterSubscriptionsOfTheOrganisation(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	c := newCustomer(t, e)
	_, err := e.subscribe(t, c, 0)
	require.NoError(t, err)
	orders := func() int {
		found, err := e.PendingOrders(t.Context())
		require.NoError(t, err)
		return len(found)
	}
	assert.Equal(t, 1, orders())
	_, err = e.Allow(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Zero(t, orders())
	_, err = e.Void(t.Context(), "1")
	require.NoError(t, err)

	second, err := e.subscribe(t, c, 0)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, second.Status)
	other := e.mustSubscribe(t, 0)
	assert.Equal(t, billing.Incomplete, other.Status, "of another organisation")
}

func TestPendingOrders_IgnoresDeletedCustomers(t *testing.T) {
	e := newEnv(t, newSQLite(t), "APPROVAL", "required")
	deleted, kept := newCustomer(t, e), newCustomer(t, e)
	for _, c := range []billing.Customer{deleted, kept} {
		_, err := e.subscribe(t, c, 0)
		require.NoError(t, err)
	}
	require.NoError(t, e.DeleteCustomer(t.Context(), deleted.ID))
	found, err := e.PendingOrders(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, kept.OrganisationID, found[0].Organisation)
}

func TestVoid_DropsThePendingChange(t *testing.T) {
	e, s := newSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	_, err := e.ChangePlan(t.Context(), payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional})
	require.NoError(t, err)
	_, err = e.Void(t.Context(), "2")
	require.NoError(t, err)
	after := e.subscriptionAfter(t, s.ID, time.Hour)
	assert.Nil(t, after.Pending)
	assert.Equal(t, standard, after.Price)
	assert.Equal(t, billing.Active, after.Status)
	_, err = e.Void(t.Context(), "1")
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "it is paid")
}

func TestVoid_EndsTheSubscriptionWhosePeriodIsNotPaid(t *testing.T) {
	e, s := newSubscription(t)
	after, err := e.Void(t.Context(), e.Terms.Number(e.find(t, s.LatestInvoice.ID).Number))
	require.NoError(t, err)
	assert.Equal(t, billing.InvoiceVoid, after.Status)
	assert.Equal(t, billing.Canceled, after.Subscription)
}
