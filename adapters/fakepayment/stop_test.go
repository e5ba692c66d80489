package fakepayment_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestStopLetsADeliveryFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		finish := make(chan struct{})
		var finished, stopped atomic.Bool
		p := running(t, func(ctx context.Context, _ []byte, _ string) error {
			<-finish
			finished.Store(true)
			return ctx.Err()
		})
		payer(t, p, good)
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

func TestStopDoesNotWaitForever(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	begun := make(chan struct{}, 1)
	p := open(t, "")
	p.DeliverTo(func(context.Context, []byte, string) error {
		begun <- struct{}{}
		<-never
		return nil
	})
	require.NoError(t, p.Start(t.Context()))
	payer(t, p, good)
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, p.Stop(ctx))
}

func TestAStoppedProviderAnswersNothing(t *testing.T) {
	for name, path := range map[string]string{"with a journal": journalIn(t), "in memory": ""} {
		t.Run(name, func(t *testing.T) {
			p := open(t, path)
			customerID := payer(t, p, good)
			stop(t, p)
			_, err := p.Customer(t.Context(), customerID)
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			status, body := call(t, p, "GET", "/intents/x", "")
			assert.Equal(t, 503, status)
			assert.Equal(t, "unavailable", body["error"].(map[string]any)["code"])
		})
	}
}
