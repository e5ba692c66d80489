package enginepayment

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// failingGateway returns errors of functions from single methods of a gateway.
type failingGateway struct {
	gateway.Gateway
	saveCustomer func() error
	start        func() error
}

func (g *failingGateway) SaveCustomer(ctx context.Context, c gateway.Customer) (string, error) {
	if g.saveCustomer != nil {
		if err := g.saveCustomer(); err != nil {
			return "", err
		}
	}
	return g.Gateway.SaveCustomer(ctx, c)
}

func (g *failingGateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	started, err := g.Gateway.Start(ctx, o)
	if err == nil && g.start != nil {
		err = g.start()
	}
	return started, err
}

func TestCollect_LearnsOfAReturnThatWasAnnouncedDuringALookup(t *testing.T) {
	t.Parallel()
	var e *env
	interrupt := false
	e = newEnv(t, newSQLite(t), slowBank, func(c fakegateway.Call) error {
		if interrupt && c.Method == "Find" && c.After {
			interrupt = false
			_, err := e.clock.Advance(7 * day) // the bank returns the payment
			require.NoError(t, err)
			require.NoError(t, e.poll(t.Context()))
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.ReturnsLate)
	_, err := e.clock.Advance(3 * day)
	require.NoError(t, err)
	interrupt = true

	e.work(t)

	assert.False(t, interrupt)
	assert.Equal(t, billing.PastDue, e.read(t, s.ID).Status)
}

func TestCollect_StoresAllResultsIfAnotherServerReportedOneOfThem(t *testing.T) {
	t.Parallel()
	interrupt := false
	var second *Provider
	var customerID string
	e := newEnv(t, newSQLite(t), slowBank, func(c fakegateway.Call) error {
		if interrupt && c.Method == "Find" && c.After {
			interrupt = false
			_, err := second.collect(t.Context(), customerID, sendTimeout)
			require.NoError(t, err)
		}
		return nil
	})
	second = e.server(t, nil)
	s := e.subscribe(t, fakegateway.Pays)
	customerID = s.CustomerID
	_, err := e.clock.Advance(3 * day)
	require.NoError(t, err)
	interrupt = true

	_, err = e.collect(t.Context(), s.CustomerID, sendTimeout)

	require.NoError(t, err)
	assert.False(t, interrupt)
	assert.Equal(t, billing.Active, e.read(t, s.ID).Status)
}

func TestTick_ReadsChangesAfterThoseOfADeletedCustomer(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	deleted, other := e.subscribe(t, fakegateway.ReturnsLate), e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 3*day)
	require.NoError(t, e.DeleteCustomer(t.Context(), deleted.CustomerID))
	_, err := e.clock.Advance(7 * day) // the bank returns both payments
	require.NoError(t, err)

	_, err = e.Tick(t.Context(), func(context.Context, payment.Event) error { return nil })

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, e.read(t, other.ID).Status)
}

func TestSubscribe_ReportsDetailsThatTheGatewayRefuses(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	g := &failingGateway{Gateway: e.Gateway, saveCustomer: func() error { return fault.New(fault.Invalid, "The address is incomplete.") }}
	e.Gateway = g
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: "create", OrganisationID: "org", Name: "Northside Clinic"})
	require.NoError(t, err)

	s, err := e.Subscribe(t.Context(), payment.NewSubscription{Key: "subscribe", CustomerID: c.ID, Price: standard})

	require.NoError(t, err)
	assert.Equal(t, billing.Redirect, s.Next.Kind)
	assert.Equal(t, "The address is incomplete.", s.Next.Reason)
	g.saveCustomer = nil
	assert.NotEmpty(t, e.read(t, s.ID).Next.URL, "the payment can be made after the details were corrected")
}

func TestCollect_LooksUpAPaymentWhoseOrderHasChanged(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	lost := fault.New(fault.Unavailable, "The response was lost.")
	g := &failingGateway{Gateway: e.Gateway, start: func() error { return lost }}
	e.Gateway = g
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: "create", OrganisationID: "org", Name: "Northside Clinic"})
	require.NoError(t, err)
	s, err := e.Subscribe(t.Context(), payment.NewSubscription{Key: "subscribe", CustomerID: c.ID, Price: standard})
	require.NoError(t, err)
	require.Equal(t, billing.Wait, s.Next.Kind)
	g.start = nil
	e.ReturnTo = "https://new.example/billing" // of another configuration
	_, err = e.clock.Advance(time.Minute)
	require.NoError(t, err)

	e.work(t)

	assert.NotEmpty(t, e.read(t, s.ID).Next.URL)
}

func TestSubscription_IsReadableWhileNoPageCanBeOpened(t *testing.T) {
	t.Parallel()
	down := false
	e := newEnv(t, newSQLite(t), slowBank, func(fakegateway.Call) error {
		if down {
			return fault.New(fault.Unavailable, "The bank is down.")
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.FailsLate)
	e.advance(t, 3*day)
	down = true

	s, err := e.Subscription(t.Context(), s.ID)

	require.NoError(t, err)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
}
