package enginepayment

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// slowBank is a bank whose money takes three days and can go back a week later.
var slowBank = fakegateway.Config{Kind: billing.BankDebitMethod, Settlement: 3 * day, ReturnWindow: 7 * day, KeyRetention: 30 * day}

// subscribe returns a subscription whose customer has just completed the bank's page with an account.
func (e *env) subscribe(t *testing.T, account fakegateway.Behaviour) billing.Subscription {
	t.Helper()
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic"})
	require.NoError(t, err)
	s, err := e.Subscribe(t.Context(), payment.NewSubscription{Key: rand.Text(), CustomerID: c.ID, Price: standard})
	require.NoError(t, err)
	e.visit(t, s.Next.URL, account)
	return e.read(t, s.ID)
}

func (e *env) read(t *testing.T, id string) billing.Subscription {
	t.Helper()
	s, err := e.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

func TestSubscription_ReportsADebitThatFailsAfterDays(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	s := e.subscribe(t, fakegateway.FailsLate)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Equal(t, noon.Add(3*day), s.Next.Until)
	assert.Equal(t, "Bank account •••• 4207", s.Next.Method.Label)

	e.advance(t, 3*day)

	failed := e.read(t, s.ID)
	assert.Equal(t, billing.Incomplete, failed.Status)
	assert.Equal(t, billing.Redirect, failed.Next.Kind)
	assert.NotEmpty(t, failed.Next.Reason)
	e.visit(t, failed.Next.URL, fakegateway.Pays)
	e.advance(t, 3*day)
	assert.Equal(t, billing.Active, e.read(t, s.ID).Status)
}

func TestSubscription_OwesADebitThatTheBankReturns(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	s := e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 3*day)
	require.Equal(t, billing.Active, e.read(t, s.ID).Status)

	e.advance(t, 7*day)

	owed := e.read(t, s.ID)
	assert.Equal(t, billing.PastDue, owed.Status)
	assert.Equal(t, owed.LatestInvoice.AmountDue, owed.LatestInvoice.Returned)
	list, err := e.ListInvoices(t.Context(), payment.InvoicePage{CustomerID: s.CustomerID, Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, owed.LatestInvoice.AmountDue, list.Invoices[0].Returned)
	assert.Equal(t, billing.Redirect, owed.Next.Kind)
	assert.Zero(t, owed.LatestInvoice.NextAttemptAt, "it is never charged again by itself")
	e.visit(t, owed.Next.URL, fakegateway.Pays)
	e.advance(t, 3*day)
	assert.Equal(t, billing.Active, e.read(t, s.ID).Status)
}

func TestLiftHold_EndsTheHoldAfterAnOldPaymentWentBack(t *testing.T) {
	t.Parallel()
	c := slowBank
	c.ReturnWindow = 40 * day
	e := newEnv(t, newSQLite(t), c, nil)
	s := e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 43*day) // another period has begun

	held := e.read(t, s.ID)
	assert.Equal(t, billing.HoldDisputed, held.Hold)
	returned, err := e.ReturnedPayments(t.Context(), s.CustomerID)
	require.NoError(t, err)
	require.Len(t, returned, 1)
	assert.Equal(t, billing.DisputeLost, returned[0].Dispute)

	after, err := e.LiftHold(t.Context(), payment.HoldLift{Key: "lift", CustomerID: s.CustomerID})
	require.NoError(t, err)
	assert.Equal(t, billing.NoHold, after.Hold)
}

func TestParseEvents_NextReadLooksThePaymentUp(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	s := e.subscribe(t, fakegateway.Pays)
	_, err := e.clock.Advance(3 * day)
	require.NoError(t, err)
	deliveries := e.bank.Deliveries()

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, s.CustomerID, events[0].CustomerID)
	assert.Equal(t, []string{s.LatestInvoice.ID}, events[0].InvoiceIDs)
	all, err := e.ListSubscriptions(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, all[0].Status)
}

func TestSetUpMethod_SavesAMethodThatTheNextReadShows(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: "customer", OrganisationID: "org", Name: "Northside Clinic"}) // no currency yet
	require.NoError(t, err)
	page, err := e.SetUpMethod(t.Context(), payment.MethodSetup{Key: "page", CustomerID: c.ID})
	require.NoError(t, err)
	e.press(t, page.URL, fakegateway.Pays)
	deliveries := e.bank.Deliveries()

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, payment.CustomerChanged, events[0].Kind)
	after, err := e.Customer(t.Context(), c.ID)
	require.NoError(t, err)
	require.NotNil(t, after.Default)
	assert.Equal(t, "Bank account •••• 4200", after.Default.Label)
}

func TestNew_RefusesGatewaysThatItCannotUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]fakegateway.Config{
		"a card field":        {Entry: payment.EntryCardField},
		"money after 15 days": {Settlement: 15 * day},
	} {
		_, err := New(Config{Gateway: fakegateway.New(c).Gateway(nil)})
		assert.Error(t, err, name)
	}
}
