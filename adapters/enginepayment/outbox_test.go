package enginepayment

import (
	"cmp"
	"context"
	"sync/atomic"
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

// failingGateway returns saveCustomerErr and startErr from its methods if they are set. Start acts before it returns the
// error.
type failingGateway struct {
	gateway.Gateway
	saveCustomerErr, startErr error
}

func (g *failingGateway) SaveCustomer(ctx context.Context, c gateway.Customer) (string, error) {
	if g.saveCustomerErr != nil {
		return "", g.saveCustomerErr
	}
	return g.Gateway.SaveCustomer(ctx, c)
}

func (g *failingGateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	started, err := g.Gateway.Start(ctx, o)
	return started, cmp.Or(err, g.startErr)
}

func TestProcessOutbox_RepeatsALookupIfThePaymentChangesMeanwhile(t *testing.T) {
	t.Parallel()
	var e *env
	interrupt := false
	e = newEnv(t, newSQLite(t), slowSettlement, func(c fakegateway.Call) error {
		if interrupt && c.Method == "Find" && c.After {
			interrupt = false
			e.moveClock(t, 7*day) // the bank returns the payment
			require.NoError(t, e.poll(t.Context()))
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.ReturnsLate)
	e.moveClock(t, 3*day)
	interrupt = true

	e.runWorker(t)

	assert.False(t, interrupt)
	assert.Equal(t, billing.PastDue, e.currentSubscription(t, s.ID).Status)
}

func TestProcessOutbox_AcceptsResultsThatAnotherServerHasAlreadyStored(t *testing.T) {
	t.Parallel()
	interrupt := false
	var second *Provider
	var customerID string
	e := newEnv(t, newSQLite(t), slowSettlement, func(c fakegateway.Call) error {
		if interrupt && c.Method == "Find" && c.After {
			interrupt = false
			_, err := second.processOutbox(t.Context(), customerID, sendTimeout)
			require.NoError(t, err)
		}
		return nil
	})
	second = e.newServer(t, nil)
	s := e.subscribe(t, fakegateway.Pays)
	customerID = s.CustomerID
	e.moveClock(t, 3*day)
	interrupt = true

	_, err := e.processOutbox(t.Context(), s.CustomerID, sendTimeout)

	require.NoError(t, err)
	assert.False(t, interrupt)
	assert.Equal(t, billing.Active, e.currentSubscription(t, s.ID).Status)
}

func TestProcessOutbox_FindsThePaymentIfItsOrderConflicts(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	g := &failingGateway{Gateway: e.Gateway, startErr: fault.New(fault.Unavailable, "The response was lost.")}
	e.Gateway = g
	s := e.subscribeUnpaid(t)
	require.Equal(t, billing.Wait, s.Next.Kind)
	g.startErr = nil
	e.ReturnTo = "https://new.example/billing" // the operator has changed the configuration
	e.moveClock(t, time.Minute)

	e.runWorker(t)

	assert.NotEmpty(t, e.currentSubscription(t, s.ID).Next.URL)
}

// Each charge waits until all have begun, so a worker that charges one customer after the other fails.
func TestTick_ChargesEightCustomersAtOnce(t *testing.T) {
	t.Parallel()
	const customers = 8
	var renewing atomic.Bool
	var begun atomic.Int32
	allBegun := make(chan struct{})
	e := newEnv(t, newSQLite(t), immediateSettlement, func(c fakegateway.Call) error {
		if c.Method != "Start" || c.After || !renewing.Load() {
			return nil
		}
		if begun.Add(1) == customers {
			close(allBegun)
		}
		select {
		case <-allBegun:
			return nil
		case <-time.After(10 * time.Second):
			return fault.New(fault.Unavailable, "The other charges have not begun.")
		}
	})
	var subscriptions []billing.Subscription
	for range customers {
		subscriptions = append(subscriptions, e.subscribe(t, fakegateway.Pays))
	}
	e.moveClock(t, 32*day)
	renewing.Store(true)

	_, err := e.Tick(t.Context(), func(context.Context, payment.Event) error { return nil })

	require.NoError(t, err)
	for _, s := range subscriptions {
		after := e.currentSubscription(t, s.ID)
		assert.Equal(t, billing.Active, after.Status)
		assert.NotEqual(t, s.LatestInvoice.ID, after.LatestInvoice.ID)
		assert.Equal(t, billing.InvoicePaid, after.LatestInvoice.Status)
	}
}

func TestTick_ChargesOnceAfterTheGatewayWasDown(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	e := newEnv(t, newSQLite(t), immediateSettlement, func(fakegateway.Call) error {
		if down.Load() {
			return fault.New(fault.Unavailable, "The gateway is down.")
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.Pays)
	e.moveClock(t, 32*day)
	down.Store(true)
	report := func(context.Context, payment.Event) error { return nil }

	_, err := e.Tick(t.Context(), report)

	require.Error(t, err)
	unpaid := e.currentSubscription(t, s.ID)
	assert.Equal(t, billing.Active, unpaid.Status)
	assert.Equal(t, billing.Wait, unpaid.Next.Kind)
	down.Store(false)
	e.moveClock(t, time.Hour)
	_, err = e.Tick(t.Context(), report)
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, e.currentSubscription(t, s.ID).LatestInvoice.Status)
	e.assertDebits(t, s.CustomerID, 2)
}
