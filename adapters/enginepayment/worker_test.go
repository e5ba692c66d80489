package enginepayment

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Each charge waits until all have begun, so that a worker that sends one after the other fails.
func TestTick_ChargesEightCustomersAtOnce(t *testing.T) {
	t.Parallel()
	const customers = 8
	var renewing atomic.Bool
	var begun atomic.Int32
	allBegun := make(chan struct{})
	e := newEnv(t, newSQLite(t), fastBank, func(c fakegateway.Call) error {
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
		after := e.read(t, s.ID)
		assert.Equal(t, billing.Active, after.Status)
		assert.NotEqual(t, s.LatestInvoice.ID, after.LatestInvoice.ID)
		assert.Equal(t, billing.InvoicePaid, after.LatestInvoice.Status)
	}
}

func TestTick_ChargesOnceAfterTheGatewayWasDown(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	e := newEnv(t, newSQLite(t), fastBank, func(fakegateway.Call) error {
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
	unpaid := e.read(t, s.ID)
	assert.Equal(t, billing.Active, unpaid.Status)
	assert.Equal(t, billing.Wait, unpaid.Next.Kind)
	down.Store(false)
	e.moveClock(t, time.Hour)
	_, err = e.Tick(t.Context(), report)
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, e.read(t, s.ID).LatestInvoice.Status)
	e.assertDebits(t, s.CustomerID, 2)
}
