package fakepayment_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestOpen_ReportsAllConfigurationErrors(t *testing.T) {
	_, err := fakepayment.Open(fakepayment.Config{StatusAfterRetries: billing.Active, Secrets: []string{""}})
	assert.ErrorContains(t, err, "Clock and Prices are required")
	assert.ErrorContains(t, err, "must be canceled or unpaid")
	assert.ErrorContains(t, err, "secret is empty")
}

func TestOpen_FailsWithoutWritableDirectory(t *testing.T) {
	_, err := fakepayment.Open(fakepayment.Config{Path: "/dev/null/payments", Clock: fixedClock{noon}, Prices: testPrices{}})
	require.ErrorContains(t, err, "/dev/null")
}

func TestStop_WaitsForDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		finish := make(chan struct{})
		var finished, stopped atomic.Bool
		p := startProviderInBubble(t, func(ctx context.Context, _ []byte, _ string) error {
			<-finish
			finished.Store(true)
			return ctx.Err()
		})
		newCustomer(t, p, visa)
		synctest.Wait()
		go func() {
			assert.NoError(t, p.Stop(context.Background()))
			stopped.Store(true)
		}()
		synctest.Wait()
		assert.False(t, stopped.Load())
		close(finish)
		synctest.Wait()
		assert.True(t, finished.Load())
		assert.True(t, stopped.Load())
	})
}

func TestStop_StopsWaitingWhenTheContextEnds(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	started := make(chan struct{}, 1)
	p := openProvider(t, "")
	p.SetSink(func(context.Context, []byte, string) error {
		started <- struct{}{}
		<-release
		return nil
	})
	require.NoError(t, p.Start(t.Context()))
	newCustomer(t, p, visa)
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, p.Stop(ctx))
}

func TestStop_LaterCallsAreUnavailable(t *testing.T) {
	for name, path := range map[string]string{"on disk": databasePath(t), "in memory": ""} {
		t.Run(name, func(t *testing.T) {
			p := openProvider(t, path)
			customerID := newCustomer(t, p, visa)
			stopProvider(t, p)
			_, err := p.Customer(t.Context(), customerID)
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			status, body := sendRequest(t, p, "GET", "/intents/x", "")
			assert.Equal(t, 503, status)
			assert.Equal(t, "unavailable", body["error"].(map[string]any)["code"])
		})
	}
}
