package enginepayment

import (
	"cmp"
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

// failingGateway is a gateway whose methods return the errors, if they are not nil. Start acts nevertheless.
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

func TestProcessOutbox_LooksUpAgainAPaymentThatIsAnnouncedDuringALookup(t *testing.T) {
	t.Parallel()
	var e *env
	interrupt := false
	e = newEnv(t, newSQLite(t), slowBank, func(c fakegateway.Call) error {
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
	assert.Equal(t, billing.PastDue, e.read(t, s.ID).Status)
}

func TestProcessOutbox_StoresResultsThatAnotherServerHasStoredBefore(t *testing.T) {
	t.Parallel()
	interrupt := false
	var second *Provider
	var customerID string
	e := newEnv(t, newSQLite(t), slowBank, func(c fakegateway.Call) error {
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
	assert.Equal(t, billing.Active, e.read(t, s.ID).Status)
}

func TestTick_SkipsAnnouncedPaymentsOfDeletedCustomers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	deleted, other := e.subscribe(t, fakegateway.ReturnsLate), e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 3*day)
	require.NoError(t, e.DeleteCustomer(t.Context(), deleted.CustomerID))
	e.moveClock(t, 7*day) // the bank returns both payments

	_, err := e.Tick(t.Context(), func(context.Context, payment.Event) error { return nil })

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, e.read(t, other.ID).Status)
}

func TestSubscribe_ReturnsWhyTheGatewayRefusesTheCustomer(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	g := &failingGateway{Gateway: e.Gateway, saveCustomerErr: fault.New(fault.Invalid, "The address is incomplete.")}
	e.Gateway = g

	s := e.order(t)

	assert.Equal(t, billing.Redirect, s.Next.Kind)
	assert.Equal(t, "The address is incomplete.", s.Next.Reason)
	g.saveCustomerErr = nil
	assert.NotEmpty(t, e.read(t, s.ID).Next.URL, "the payment can be made after the details were corrected")
}

func TestProcessOutbox_LooksUpAPaymentWhoseOrderConflicts(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowBank, nil)
	g := &failingGateway{Gateway: e.Gateway, startErr: fault.New(fault.Unavailable, "The response was lost.")}
	e.Gateway = g
	s := e.order(t)
	require.Equal(t, billing.Wait, s.Next.Kind)
	g.startErr = nil
	e.ReturnTo = "https://new.example/billing" // of another configuration
	e.moveClock(t, time.Minute)

	e.runWorker(t)

	assert.NotEmpty(t, e.read(t, s.ID).Next.URL)
}

func TestSubscription_IsReadableWhileNoPageCanBeOpened(t *testing.T) {
	t.Parallel()
	down := false
	e := newEnv(t, newSQLite(t), slowBank, func(fakegateway.Call) error {
		if down {
			return fault.New(fault.Unavailable, "The gateway is down.")
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
