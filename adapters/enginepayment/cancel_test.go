package enginepayment

import (
	"crypto/rand"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestCancelSubscription_KeepsThePlanIfThePaymentThatIsBeingSentSucceeds(t *testing.T) {
	t.Parallel()
	var block atomic.Bool
	sending, unblock := make(chan struct{}), make(chan struct{})
	e := newEnv(t, newSQLite(t), fastBank, func(c fakegateway.Call) error {
		if c.Method == "Start" && !c.After && block.CompareAndSwap(true, false) {
			close(sending)
			<-unblock
		}
		return nil
	})
	first := e.subscribe(t, fakegateway.Pays)
	_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: first.ID})
	require.NoError(t, err)
	customer, err := e.Customer(t.Context(), first.CustomerID)
	require.NoError(t, err)
	block.Store(true)
	subscribed := make(chan billing.Subscription)
	go func() {
		s, err := e.Subscribe(t.Context(), payment.NewSubscription{
			Key: rand.Text(), CustomerID: customer.ID, Price: standard, MethodID: customer.Default.ID,
		})
		assert.NoError(t, err)
		subscribed <- s
	}()
	<-sending
	open, err := e.Ledger.ListSubscriptions(t.Context(), customer.ID, billing.Incomplete)
	require.NoError(t, err)
	require.Len(t, open, 1)
	go close(unblock)

	kept, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: open[0].ID, IfUnpaid: true})

	require.NoError(t, err)
	assert.Equal(t, billing.Active, kept.Status)
	assert.Equal(t, billing.Active, (<-subscribed).Status)
}
