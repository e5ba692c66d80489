package enginepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSetUpMethod_CompletedPageSavesTheDefaultMethod(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	c := e.createCustomer(t) // without a currency
	page, err := e.SetUpMethod(t.Context(), payment.MethodSetup{Key: "page", CustomerID: c.ID})
	require.NoError(t, err)
	e.completePage(t, page.URL, fakegateway.Pays)
	deliveries := e.fake.Deliveries()

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, payment.CustomerChanged, events[0].Kind)
	c, err = e.Customer(t.Context(), c.ID)
	require.NoError(t, err)
	require.NotNil(t, c.Default)
	assert.Equal(t, "Bank account •••• 4200", c.Default.Label)
}

func TestLiftHold_EndsTheHoldOfAReturnedPayment(t *testing.T) {
	t.Parallel()
	config := slowSettlement
	config.ReturnWindow = 40 * day
	e := newEnv(t, newSQLite(t), config, nil)
	s := e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 43*day) // another period has begun

	assert.Equal(t, billing.HoldDisputed, e.readSubscription(t, s.ID).Hold)
	returnedPayments, err := e.ReturnedPayments(t.Context(), s.CustomerID)
	require.NoError(t, err)
	require.Len(t, returnedPayments, 1)
	assert.Equal(t, billing.DisputeLost, returnedPayments[0].Dispute)

	c, err := e.LiftHold(t.Context(), payment.HoldLift{Key: "lift", CustomerID: s.CustomerID})
	require.NoError(t, err)
	assert.Equal(t, billing.NoHold, c.Hold)
}

func TestSubscription_TrialHasTheReasonOfARefusedMethod(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), immediateSettlement, nil)
	c := e.createCustomer(t)
	s, err := e.Subscribe(t.Context(), payment.NewSubscription{Key: "trial", CustomerID: c.ID, Price: standard, TrialDays: 7})
	require.NoError(t, err)
	assert.Zero(t, s.Next)
	page, err := e.SetUpMethod(t.Context(), payment.MethodSetup{Key: "page", CustomerID: c.ID})
	require.NoError(t, err)

	e.completePageAndRunWorker(t, page.URL, fakegateway.DeclinesSaving)

	assert.Equal(t, billing.NextAction{Reason: "Your bank declined the payment."}, e.readSubscription(t, s.ID).Next)
	page, err = e.SetUpMethod(t.Context(), payment.MethodSetup{Key: "other page", CustomerID: c.ID})
	require.NoError(t, err)
	e.completePageAndRunWorker(t, page.URL, fakegateway.Pays)
	assert.Zero(t, e.readSubscription(t, s.ID).Next)
}
