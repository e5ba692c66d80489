package paymenttest

import (
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var cancellationProofs = []proof{
	{name: "is at once", prove: func(b *bench) {
		for _, days := range []int{0, trialDays} {
			s := b.subscribe(b.payer(Pays).ID, days)
			ended := b.cancel(s.ID)
			assert.Equal(b, s.ID, ended.ID)
			assert.Equal(b, billing.Canceled, ended.Status)
			assert.Equal(b, standard, ended.Price)
			assert.Equal(b, ended, b.read(s.ID, billing.Canceled))
		}
	}},
	{name: "of an ended one changes nothing", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		ended := b.cancel(s.ID)
		assert.Equal(b, ended, b.cancel(s.ID))
	}},
	{name: "of one that was never paid ends it too", prove: func(b *bench) {
		ended := b.cancel(b.declined().ID)
		assert.True(b, ended.Status.Ended(), ended.Status)
		assert.Equal(b, ended, b.cancel(ended.ID))
	}},
	{name: "only if unpaid spares what was paid", prove: func(b *bench) {
		for _, days := range []int{0, trialDays} {
			s := b.subscribe(b.payer(Pays).ID, days)
			spared, err := b.cancelUnpaid(s.ID)
			require.NoError(b, err)
			assert.Equal(b, s, spared)
			assert.Equal(b, s, b.read(s.ID, s.Status))
		}
	}},
	{name: "only if unpaid ends what was not", prove: func(b *bench) {
		s := b.declined()
		ended, err := b.cancelUnpaid(s.ID)
		require.NoError(b, err)
		assert.True(b, ended.Status.Ended(), ended.Status)
		again, err := b.cancelUnpaid(s.ID)
		require.NoError(b, err)
		assert.Equal(b, ended, again)

		b.save(s.CustomerID, Pays)
		_, err = b.pay(s)
		b.refused(err, fault.Conflict)
	}},
	{name: "only if unpaid, while it is being paid, is either", prove: func(b *bench) {
		for range 8 {
			s := b.declined()
			b.save(s.CustomerID, Pays)
			var all sync.WaitGroup
			all.Go(func() { _, _ = b.pay(s) }) // whoever comes second is refused, or finds it paid
			ended, err := b.cancelUnpaid(s.ID)
			all.Wait()
			require.NoError(b, err)
			after, err := b.Provider.Subscription(b.Context(), s.ID)
			require.NoError(b, err)
			assert.Equal(b, ended.Status, after.Status)
			if after.Status.Live() {
				b.owed(after, billing.Succeeded)
			} else {
				assert.NotEqual(b, billing.Succeeded, after.LatestInvoice.Payment.Status, "nobody pays for what has ended")
			}
		}
	}},
	{name: "drops a pending change too", prove: func(b *bench) {
		s := b.pending()
		ended := b.cancel(s.ID)
		assert.Equal(b, billing.Canceled, ended.Status)
		assert.Equal(b, standard, ended.Price)
		b.save(s.CustomerID, Pays)
		_, err := b.pay(s)
		b.refused(err, fault.Conflict)
	}},
	{name: "makes room for a new one", prove: func(b *bench) {
		c := b.payer(Pays)
		b.cancel(b.subscribe(c.ID, 0).ID)
		assert.Equal(b, billing.Active, b.subscribe(c.ID, 0).Status)
	}},
	{name: "keeps the cards", prove: func(b *bench) {
		c := b.payer(Pays)
		b.cancel(b.subscribe(c.ID, 0).ID)
		assert.Equal(b, c.Default, b.look(c.ID).Default)
	}},
}

func (b *bench) cancelUnpaid(subscriptionID string) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.CancelSubscription(b.Context(), payment.Cancellation{
		Key: newKey(), SubscriptionID: subscriptionID, IfUnpaid: true,
	})
}
