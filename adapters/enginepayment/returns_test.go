package enginepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSubscription_DebitThatFailsAfterDaysIsPaidOnAnotherPage(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	s := e.subscribe(t, fakegateway.FailsLate)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Equal(t, noon.Add(3*day), s.Next.Until)
	assert.Equal(t, "Bank account •••• 4206", s.Next.Method.Label)

	e.advance(t, 3*day)

	failed := e.read(t, s.ID)
	assert.Equal(t, billing.Incomplete, failed.Status)
	assert.Equal(t, billing.Redirect, failed.Next.Kind)
	assert.NotEmpty(t, failed.Next.Reason)
	e.payOnPage(t, failed.Next.URL, fakegateway.Pays)
	e.advance(t, 3*day)
	assert.Equal(t, billing.Active, e.read(t, s.ID).Status)
}

func TestSubscription_ReturnedDebitIsOwedAgain(t *testing.T) {
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
	assert.Zero(t, owed.LatestInvoice.NextAttemptAt, "it is not charged again without the customer")
	e.payOnPage(t, owed.Next.URL, fakegateway.Pays)
	e.advance(t, 3*day)
	assert.Equal(t, billing.Active, e.read(t, s.ID).Status)
}

func TestLiftHold_EndsTheHoldAfterAnEarlierPaymentWasReturned(t *testing.T) {
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

func TestParseEvents_NextReadLooksUpTheAnnouncedPayment(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	s := e.subscribe(t, fakegateway.Pays)
	e.moveClock(t, 3*day)
	deliveries := e.remote.Deliveries()

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, s.CustomerID, events[0].CustomerID)
	assert.Equal(t, []string{s.LatestInvoice.ID}, events[0].InvoiceIDs)
	all, err := e.ListSubscriptions(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, all[0].Status)
}

// The webhook names only the reference. Start returns a state that is out of date by then.
func TestParseEvents_LooksUpAPaymentWhoseStartHasNotReturned(t *testing.T) {
	t.Parallel()
	var e *env
	inTransit := false
	e = newEnv(t, newSQLite(t), slowBank, func(c fakegateway.Call) error {
		if inTransit && c.Method == "Start" && c.After {
			inTransit = false
			e.moveClock(t, 3*day) // the money arrives
			deliveries := e.remote.Deliveries()
			events, err := e.newServer(t, nil).ParseEvents(t.Context(), deliveries[len(deliveries)-1])
			require.NoError(t, err)
			assert.Len(t, events, 1)
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.Pays)
	e.advance(t, 3*day)
	c, err := e.Customer(t.Context(), s.CustomerID)
	require.NoError(t, err)
	_, err = e.CancelSubscription(t.Context(), payment.Cancellation{Key: "end", SubscriptionID: s.ID})
	require.NoError(t, err)
	inTransit = true

	s, err = e.Subscribe(t.Context(), payment.NewSubscription{Key: "again", CustomerID: c.ID, Price: standard, MethodID: c.Default.ID})

	require.NoError(t, err)
	assert.False(t, inTransit)
	assert.Equal(t, billing.Active, s.Status)
}

func TestParseEvents_SkipsPaymentsOfOthers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	e.subscribe(t, fakegateway.Pays)
	other := newEnv(t, newSQLite(t), slowBank, nil)

	events, err := other.ParseEvents(t.Context(), e.remote.Deliveries()[0])

	require.NoError(t, err)
	assert.Empty(t, events)
}

func TestSetUpMethod_CompletedPageSavesTheDefaultMethod(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	c := e.createCustomer(t) // without a currency
	page, err := e.SetUpMethod(t.Context(), payment.MethodSetup{Key: "page", CustomerID: c.ID})
	require.NoError(t, err)
	e.visit(t, page.URL, fakegateway.Pays)
	deliveries := e.remote.Deliveries()

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, payment.CustomerChanged, events[0].Kind)
	after, err := e.Customer(t.Context(), c.ID)
	require.NoError(t, err)
	require.NotNil(t, after.Default)
	assert.Equal(t, "Bank account •••• 4200", after.Default.Label)
}

func TestNew_RefusesCardFieldsAndLongSettlement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]fakegateway.Config{
		"a card field":             {Entry: payment.EntryCardField},
		"settlement after 15 days": {Settlement: 15 * day},
	} {
		_, err := New(Config{Gateway: fakegateway.New(c).Gateway(nil)})
		assert.Error(t, err, name)
	}
}
