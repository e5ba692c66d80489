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
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// failingGateway returns saveCustomerErr from SaveCustomer and startErr from Start if they are set. Start acts before it
// returns the error.
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
	p, err := g.Gateway.Start(ctx, o)
	return p, cmp.Or(err, g.startErr)
}

func TestProcessOutbox_RepeatsALookupIfThePaymentChangesMeanwhile(t *testing.T) {
	t.Parallel()
	var e *env
	shouldInterrupt := false
	e = newEnv(t, newSQLite(t), slowSettlement, func(c fakegateway.Call) error {
		if shouldInterrupt && c.Method == "Find" && c.HasActed {
			shouldInterrupt = false
			e.moveClock(t, 7*day) // the bank returns the payment
			require.NoError(t, e.poll(t.Context()))
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.ReturnsLate)
	e.moveClock(t, 3*day)
	shouldInterrupt = true

	e.runWorker(t)

	assert.False(t, shouldInterrupt)
	assert.Equal(t, billing.PastDue, e.readSubscription(t, s.ID).Status)
}

func TestProcessOutbox_AcceptsResultsThatAnotherServerHasAlreadyStored(t *testing.T) {
	t.Parallel()
	shouldInterrupt := false
	var otherServer *Provider
	var customerID string
	e := newEnv(t, newSQLite(t), slowSettlement, func(c fakegateway.Call) error {
		if shouldInterrupt && c.Method == "Find" && c.HasActed {
			shouldInterrupt = false
			_, err := otherServer.processOutbox(t.Context(), customerID, sendTimeout)
			require.NoError(t, err)
		}
		return nil
	})
	otherServer = e.newServer(t, nil)
	s := e.subscribe(t, fakegateway.Pays)
	customerID = s.CustomerID
	e.moveClock(t, 3*day)
	shouldInterrupt = true

	_, err := e.processOutbox(t.Context(), s.CustomerID, sendTimeout)

	require.NoError(t, err)
	assert.False(t, shouldInterrupt)
	assert.Equal(t, billing.Active, e.readSubscription(t, s.ID).Status)
}

func TestProcessOutbox_FindsThePaymentIfItsOrderConflicts(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	g := &failingGateway{Gateway: e.Gateway, startErr: fault.New(fault.Unavailable, "The response was lost.")}
	e.Gateway = g
	s := e.subscribeWithOpenPage(t)
	require.Equal(t, billing.Wait, s.Next.Kind)
	g.startErr = nil
	e.ReturnTo = "https://new.example/billing" // the operator has changed the configuration
	e.moveClock(t, time.Minute)

	e.runWorker(t)

	assert.NotEmpty(t, e.openPage(t, s).Next.URL)
}

func TestProcessOutbox_ShowsThePageImmediatelyAfterTheGatewayRecovers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	g := &failingGateway{Gateway: e.Gateway, saveCustomerErr: fault.New(fault.Unavailable, "The gateway is down.")}
	e.Gateway = g
	s := e.subscribeWithOpenPage(t)
	require.Equal(t, billing.Wait, s.Next.Kind)
	_, err := e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: "pay", InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue,
	})
	require.True(t, fault.Is(err, fault.Conflict), "the gateway is still down")
	g.saveCustomerErr = nil

	s = e.openPage(t, s)

	assert.Equal(t, billing.Redirect, s.Next.Kind)
	e.completePage(t, s.Next.URL, fakegateway.Pays)
	e.advance(t, 5*day)
	e.assertDebits(t, s.CustomerID, 1)
}

// Each charge waits until all have begun, so a worker that charges one customer after the other fails.
func TestTick_ChargesEightCustomersConcurrently(t *testing.T) {
	t.Parallel()
	const customerCount = 8
	var isRenewing atomic.Bool
	var startedCount atomic.Int32
	allStarted := make(chan struct{})
	e := newEnv(t, newSQLite(t), immediateSettlement, func(c fakegateway.Call) error {
		if c.Method != "Start" || c.HasActed || !isRenewing.Load() {
			return nil
		}
		if startedCount.Add(1) == customerCount {
			close(allStarted)
		}
		select {
		case <-allStarted:
			return nil
		case <-time.After(time.Minute):
			return fault.New(fault.Unavailable, "The other charges have not begun.")
		}
	})
	var subscriptions []billing.Subscription
	for range customerCount {
		subscriptions = append(subscriptions, e.subscribe(t, fakegateway.Pays))
	}
	e.moveClock(t, 32*day)
	isRenewing.Store(true)

	_, err := e.Tick(t.Context(), func(context.Context, payment.Event) error { return nil })

	require.NoError(t, err)
	for _, s := range subscriptions {
		renewedSub := e.readSubscription(t, s.ID)
		assert.Equal(t, billing.Active, renewedSub.Status)
		assert.NotEqual(t, s.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
		assert.Equal(t, billing.InvoicePaid, renewedSub.LatestInvoice.Status)
	}
}

func TestTick_ChargesOnceAfterTheGatewayWasDown(t *testing.T) {
	t.Parallel()
	var isDown atomic.Bool
	e := newEnv(t, newSQLite(t), immediateSettlement, func(fakegateway.Call) error {
		if isDown.Load() {
			return fault.New(fault.Unavailable, "The gateway is down.")
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.Pays)
	e.moveClock(t, 32*day)
	isDown.Store(true)
	report := func(context.Context, payment.Event) error { return nil }

	_, err := e.Tick(t.Context(), report)

	require.Error(t, err)
	s = e.readSubscription(t, s.ID)
	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	isDown.Store(false)
	e.moveClock(t, time.Hour)
	_, err = e.Tick(t.Context(), report)
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, e.readSubscription(t, s.ID).LatestInvoice.Status)
	e.assertDebits(t, s.CustomerID, 2)
}

// skewedClock differs from another clock.
type skewedClock struct {
	clock.Clock
	offset time.Duration
}

func (c skewedClock) Now() time.Time { return c.Clock.Now().Add(c.offset) }

func TestProcessOutbox_ChargesOnceIfTheClocksOfServersDiffer(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-3 * time.Minute, 3 * time.Minute} {
		t.Run(skew.String(), func(t *testing.T) {
			t.Parallel()
			testClocksThatDiffer(t, skew)
		})
	}
}

// testClocksThatDiffer runs another server while the first one sends a payment. The other server must not send it.
func testClocksThatDiffer(t *testing.T, skew time.Duration) {
	t.Helper()
	var otherServer *Provider
	var customerID string
	var starts []string
	isRenewing := false
	intercept := func(c fakegateway.Call) error {
		if !isRenewing || c.Method != "Start" || c.HasActed {
			return nil
		}
		starts = append(starts, c.Key)
		if len(starts) == 1 {
			_, err := otherServer.processOutbox(t.Context(), customerID, sendTimeout)
			require.NoError(t, err)
		}
		return nil
	}
	e := newEnv(t, newSQLite(t), immediateSettlement, intercept)
	otherServer = e.newServer(t, intercept)
	otherServer.Ledger.Clock = skewedClock{e.clock, skew}
	s := e.subscribe(t, fakegateway.Pays)
	customerID = s.CustomerID
	e.moveClock(t, 32*day)
	isRenewing = true

	_, err := e.processOutbox(t.Context(), customerID, sendTimeout)

	require.NoError(t, err)
	assert.Len(t, starts, 1)
	e.assertDebits(t, customerID, 2, "the purchase and one renewal")
	assert.Equal(t, billing.InvoicePaid, e.readSubscription(t, s.ID).LatestInvoice.Status)
}

func TestProcessOutbox_SendsAgainAfterAServerWithAWrongClockHasStopped(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-365 * day, 365 * day} {
		t.Run(skew.String(), func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, newSQLite(t), immediateSettlement, nil)
			s := e.createUnsentSubscription(t)
			stoppedServer := e.newServer(t, nil)
			stoppedServer.Ledger.Clock = skewedClock{e.clock, skew}
			b := claim(t, stoppedServer, s.CustomerID)
			require.Len(t, b.Send, 1)
			assert.WithinDuration(t, e.Now().Add(claimDuration), b.Send[0].SendBy, 0)

			require.Empty(t, claim(t, e.Provider, s.CustomerID).Send)

			e.moveClock(t, claimDuration)
			_, err := e.processOutbox(t.Context(), s.CustomerID, sendTimeout)
			require.NoError(t, err)
			assert.NotEmpty(t, e.openPage(t, s).Next.URL)
		})
	}
}

// claim claims the next batch of a customer on the server.
func claim(t *testing.T, server *Provider, customerID string) (b batch) {
	t.Helper()
	_, err := server.Update(t.Context(), customerID, ledger.Scope{}, func(r *ledger.Record) (err error) {
		b, err = claimBatch(r)
		return err
	})
	require.NoError(t, err)
	return b
}

// createUnsentSubscription subscribes a new customer while the gateway is down.
func (e *env) createUnsentSubscription(t *testing.T) billing.Subscription {
	t.Helper()
	healthyGateway := e.Gateway
	e.Gateway = &failingGateway{Gateway: e.Gateway, saveCustomerErr: fault.New(fault.Unavailable, "The gateway is down.")}
	s := e.subscribeWithOpenPage(t)
	e.Gateway = healthyGateway
	return s
}

// The gateway can't close pages. Until the page expires, the customer can pay on it.
func TestProcessOutbox_CanceledPageThatCanNotBeClosedExpires(t *testing.T) {
	t.Parallel()
	for _, isPaid := range []bool{false, true} {
		e := newEnv(t, newSQLite(t), immediateSettlement, func(c fakegateway.Call) error {
			if c.Method == "Cancel" {
				return fault.New(fault.Conflict, "The page can't be closed.")
			}
			return nil
		})
		s := e.subscribeWithOpenPage(t)

		_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: "cancel", SubscriptionID: s.ID})

		require.NoError(t, err)
		e.advance(t, time.Hour)
		if isPaid {
			e.completePageAndRunWorker(t, s.Next.URL, fakegateway.Pays)
		}
		e.advance(t, day)
		got := e.readSubscription(t, s.ID)
		if isPaid {
			assert.Equal(t, billing.Active, got.Status)
			e.assertDebits(t, s.CustomerID, 1)
			continue
		}
		assert.Equal(t, billing.IncompleteExpired, got.Status)
		e.assertDebits(t, s.CustomerID, 0)
	}
}
