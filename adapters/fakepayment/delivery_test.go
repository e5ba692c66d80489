package fakepayment_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
)

// startProviderInBubble starts a provider that uses the time of the synctest bubble.
func startProviderInBubble(t *testing.T, sink fakepayment.Sink) *fakepayment.Provider {
	t.Helper()
	p, err := fakepayment.Open(fakepayment.Config{Clock: systemclock.New(), Prices: testPrices{}, Secrets: []string{testSecret}})
	require.NoError(t, err)
	p.SetSink(sink)
	require.NoError(t, p.Start(t.Context()))
	return p
}

func TestDelivery_RepeatsInOrderWithBackoffUntilAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var attempts []time.Duration
		var ids []string
		var p *fakepayment.Provider
		p = startProviderInBubble(t, func(_ context.Context, payload []byte, signature string) error {
			e, err := parseEvent(t, p, payload, signature)
			assert.NoError(t, err, "each attempt has a fresh signature")
			ids = append(ids, e.ID)
			attempts = append(attempts, time.Since(start))
			if len(attempts) < 12 {
				return errors.New("not now")
			}
			return nil
		})
		newCustomer(t, p, visa)
		require.NoError(t, p.Drain(t.Context()))
		stopProvider(t, p)

		require.Len(t, attempts, 13, "twelve attempts of the first event and one of the second")
		for _, id := range ids[:12] {
			assert.Equal(t, ids[0], id)
		}
		assert.NotEqual(t, ids[0], ids[12], "events are in order")
		assert.Equal(t, 100*time.Millisecond, attempts[1]-attempts[0])
		assert.Equal(t, 200*time.Millisecond, attempts[2]-attempts[1])
		assert.Equal(t, 10*time.Second, attempts[11]-attempts[10])
	})
}

func TestDelivery_UndeliveredEventSurvivesRestart(t *testing.T) {
	path := databasePath(t)
	p := openProvider(t, path)
	deliveries := make(chan struct{}, 100)
	p.SetSink(func(context.Context, []byte, string) error {
		deliveries <- struct{}{}
		return errors.New("not now")
	})
	require.NoError(t, p.Start(t.Context()))
	customerID := newCustomer(t, p, visa)
	<-deliveries
	stopProvider(t, p)

	restarted := openProvider(t, path)
	var customers []string
	restarted.SetSink(func(_ context.Context, payload []byte, signature string) error {
		e, err := parseEvent(t, restarted, payload, signature)
		customers = append(customers, e.CustomerID)
		return err
	})
	require.NoError(t, restarted.Start(t.Context()))
	require.NoError(t, restarted.Drain(t.Context()))
	stopProvider(t, restarted)
	assert.Equal(t, []string{customerID, customerID}, customers)

	restartedAgain := openProvider(t, path)
	restartedAgain.SetSink(func(context.Context, []byte, string) error {
		t.Error("an accepted event was delivered again")
		return nil
	})
	require.NoError(t, restartedAgain.Start(t.Context()))
	require.NoError(t, restartedAgain.Drain(t.Context()))
}

func TestDelivery_RepeatsAfterTheSinkTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var attempts atomic.Int32
		p := startProviderInBubble(t, func(ctx context.Context, _ []byte, _ string) error {
			if attempts.Add(1) > 1 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		})
		newCustomer(t, p, visa)
		require.NoError(t, p.Drain(t.Context()))
		stopProvider(t, p)
		assert.EqualValues(t, 3, attempts.Load())
	})
}

func TestStart_ProcessesDueSubscriptionsInBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *fakepayment.Provider
		paidAt := make(chan time.Time, 10)
		p = startProviderInBubble(t, func(_ context.Context, payload []byte, signature string) error {
			e, err := parseEvent(t, p, payload, signature)
			if e.Type == "invoice.paid" {
				paidAt <- e.CreatedAt
			}
			return err
		})
		s := subscribe(t, p, newCustomer(t, p, visa), "standard_yearly", 1)
		<-paidAt // the zero invoice of the trial
		assert.Equal(t, s.TrialEnd, <-paidAt)
		assert.WithinDuration(t, s.TrialEnd, time.Now(), 2*time.Second)
		stopProvider(t, p)
	})
}

func TestDrain_WaitsForUndeliveredEventsWithoutSink(t *testing.T) {
	p := openProvider(t, "")
	require.NoError(t, p.Start(t.Context()))
	newCustomer(t, p, visa)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Error(t, p.Drain(ctx))
}
