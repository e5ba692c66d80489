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

// Each charge waits for the others, so that a worker that sends one after the other sends none.
func TestTick_ChargesEightCustomersAtOnce(t *testing.T) {
	t.Parallel()
	const customers = 8
	var waits atomic.Bool
	var waiting atomic.Int32
	all := make(chan struct{})
	e := newEnv(t, newSQLite(t), fakegateway.Config{Kind: billing.BankDebitMethod, KeyRetention: 30 * day}, func(c fakegateway.Call) error {
		if c.Method != "Start" || c.After || !waits.Load() {
			return nil
		}
		if waiting.Add(1) == customers {
			close(all)
		}
		select {
		case <-all:
			return nil
		case <-time.After(10 * time.Second):
			return fault.New(fault.Unavailable, "The other charges have not begun.")
		}
	})
	var subscriptions []billing.Subscription
	for range customers {
		subscriptions = append(subscriptions, e.subscribe(t, fakegateway.Pays))
	}
	_, err := e.clock.Advance(32 * day)
	require.NoError(t, err)
	waits.Store(true)

	_, err = e.Tick(t.Context(), func(context.Context, payment.Event) error { return nil })

	require.NoError(t, err)
	for _, s := range subscriptions {
		after := e.read(t, s.ID)
		assert.Equal(t, billing.Active, after.Status)
		assert.NotEqual(t, s.LatestInvoice.ID, after.LatestInvoice.ID)
		assert.Equal(t, billing.InvoicePaid, after.LatestInvoice.Status)
	}
}

func TestTick_TriesAgainLaterWhileTheBankIsDown(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	e := newEnv(t, newSQLite(t), fakegateway.Config{Kind: billing.BankDebitMethod, KeyRetention: 30 * day}, func(fakegateway.Call) error {
		if down.Load() {
			return fault.New(fault.Unavailable, "The bank is down.")
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.Pays)
	_, err := e.clock.Advance(32 * day)
	require.NoError(t, err)
	down.Store(true)
	report := func(context.Context, payment.Event) error { return nil }

	_, err = e.Tick(t.Context(), report)

	require.Error(t, err)
	waiting := e.read(t, s.ID)
	assert.Equal(t, billing.Active, waiting.Status)
	assert.Equal(t, billing.Wait, waiting.Next.Kind)
	down.Store(false)
	_, err = e.clock.Advance(time.Hour)
	require.NoError(t, err)
	_, err = e.Tick(t.Context(), report)
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, e.read(t, s.ID).LatestInvoice.Status)
	assert.Len(t, e.bank.Debits(e.customerRef(t, s.CustomerID)), 2)
}
