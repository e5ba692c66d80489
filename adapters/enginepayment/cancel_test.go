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

func TestCancelSubscription_WaitsForAPaymentThatIsBeingSent(t *testing.T) {
	t.Parallel()
	var blocks atomic.Bool
	sending, canceling := make(chan struct{}), make(chan struct{})
	e := newEnv(t, newSQLite(t), fakegateway.Config{Kind: billing.BankDebitMethod, KeyRetention: 30 * day}, func(c fakegateway.Call) error {
		if c.Method == "Start" && !c.After && blocks.CompareAndSwap(true, false) {
			close(sending)
			<-canceling
		}
		return nil
	})
	first := e.subscribe(t, fakegateway.Pays)
	_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: first.ID})
	require.NoError(t, err)
	customer, err := e.Customer(t.Context(), first.CustomerID)
	require.NoError(t, err)
	blocks.Store(true)
	paid := make(chan billing.Subscription)
	go func() {
		s, err := e.Subscribe(t.Context(), payment.NewSubscription{
			Key: rand.Text(), CustomerID: customer.ID, Price: standard, MethodID: customer.Default.ID,
		})
		assert.NoError(t, err)
		paid <- s
	}()
	<-sending
	open, err := e.Ledger.ListSubscriptions(t.Context(), customer.ID, billing.Incomplete)
	require.NoError(t, err)
	require.Len(t, open, 1)
	go close(canceling)

	kept, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: open[0].ID, IfUnpaid: true})

	require.NoError(t, err)
	assert.Equal(t, billing.Active, kept.Status)
	assert.Equal(t, billing.Active, (<-paid).Status)
}
