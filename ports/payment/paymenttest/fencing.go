package paymenttest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var fencingProofs = []proof{
	{name: "an unused key can be retired, again and again", needs: Fencing, prove: func(b *bench) {
		c, key := b.customer(), newKey()
		require.NoError(b, b.retire(c.ID, key))
		require.NoError(b, b.retire(c.ID, key))
	}},
	{name: "a late subscription under a retired key is refused and makes nothing", needs: Fencing, prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		require.NoError(b, b.retire(c.ID, in.Key))
		for range 2 {
			_, err := b.Provider.Subscribe(b.Context(), in)
			b.refusedRetired(err)
		}
		assert.Empty(b, b.list(c.ID))
		require.NoError(b, b.retire(c.ID, in.Key), "it stays retired")
	}},
	{name: "a late subscription with a card under a retired key is refused", needs: Fencing, prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, CardID: b.made(Pays)}
		require.NoError(b, b.retire(c.ID, in.Key))
		_, err := b.Provider.Subscribe(b.Context(), in)
		b.refusedRetired(err)
		assert.Empty(b, b.list(c.ID))
		assert.Equal(b, c.Default, b.look(c.ID).Default, "the default card stays")
	}},
	{name: "late requests about cards under a retired key are refused", needs: Fencing, prove: func(b *bench) {
		c := b.payer(Pays)
		card, other := b.made(Pays), b.save(c.ID, Pays)
		key := newKey()
		require.NoError(b, b.retire(c.ID, key))
		_, err := b.Provider.AddCard(b.Context(), payment.NewCard{Key: key, CustomerID: c.ID, CardID: card})
		b.refusedRetired(err)
		_, err = b.Provider.SetDefaultCard(b.Context(), payment.SavedCard{Key: key, CustomerID: c.ID, CardID: c.Default.ID})
		b.refusedRetired(err)
		b.refusedRetired(b.Provider.DeleteCard(b.Context(), payment.SavedCard{Key: key, CustomerID: c.ID, CardID: other.ID}))
		assert.Equal(b, &other, b.look(c.ID).Default)
		assert.Len(b, b.cards(c.ID), 2)
	}},
	{name: "a late payment under a retired key is refused", needs: Fencing, prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, Pays)
		key := newKey()
		require.NoError(b, b.retire(s.CustomerID, key))
		_, err := b.payUnder(key, s)
		b.refusedRetired(err)
		b.owed(b.read(s.ID, billing.Incomplete), billing.RequiresPaymentMethod)
	}},
	{name: "a late change of plan under a retired key is refused", needs: Fencing, prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		key := newKey()
		require.NoError(b, b.retire(s.CustomerID, key))
		_, err := b.changeUnder(key, s, professional)
		b.refusedRetired(err)
		assert.Equal(b, standard, b.read(s.ID, billing.Active).Price)
	}},
	{name: "a late drop of a pending change under a retired key is refused", needs: Fencing, prove: func(b *bench) {
		s, key := b.pending(), newKey()
		require.NoError(b, b.retire(s.CustomerID, key))
		_, err := b.Provider.CancelPendingChange(b.Context(), payment.PendingCancellation{
			Key: key, SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID,
		})
		b.refusedRetired(err)
		assert.Equal(b, s.Pending, b.read(s.ID, billing.Active).Pending)
	}},
	{name: "a late cancellation under a retired key is refused", needs: Fencing, prove: func(b *bench) {
		for _, s := range []billing.Subscription{b.subscribe(b.payer(Pays).ID, 0), b.declined()} {
			key := newKey()
			require.NoError(b, b.retire(s.CustomerID, key))
			_, err := b.Provider.CancelSubscription(b.Context(), payment.Cancellation{Key: key, SubscriptionID: s.ID})
			b.refusedRetired(err)
			b.read(s.ID, s.Status)
		}
	}},
	{name: "a key that has acted can't be retired and answers as before", needs: Fencing, prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		made, err := b.Provider.Subscribe(b.Context(), in)
		require.NoError(b, err)
		err = b.retire(c.ID, in.Key)
		b.refused(err, fault.Conflict)
		assert.NotErrorIs(b, err, payment.ErrKeyRetired)
		again, err := b.Provider.Subscribe(b.Context(), in)
		require.NoError(b, err)
		assert.Equal(b, made, again)
	}},
	{name: "a key that was used for another request is not taken for a retired one", needs: Fencing, prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		_, err := b.Provider.Subscribe(b.Context(), in)
		require.NoError(b, err)
		in.Price = professional
		_, err = b.Provider.Subscribe(b.Context(), in)
		b.refused(err, fault.Conflict)
		assert.NotErrorIs(b, err, payment.ErrKeyRetired)
	}},
	{name: "retiring a key in flight: either it has acted, or it never does", needs: Fencing, prove: func(b *bench) {
		for range 8 {
			c := b.payer(Pays)
			in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
			var bought error
			var all sync.WaitGroup
			all.Go(func() { _, bought = b.Provider.Subscribe(b.Context(), in) })
			retired := b.retire(c.ID, in.Key)
			all.Wait()
			if retired == nil {
				b.refusedRetired(bought)
				assert.Empty(b, b.list(c.ID))
				continue
			}
			b.refused(retired, fault.Conflict)
			assert.NoError(b, bought)
			assert.Len(b, b.list(c.ID), 1)
		}
	}},
	{name: "many who retire one key agree", needs: Fencing, prove: func(b *bench) {
		c, key := b.customer(), newKey()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { assert.NoError(b, b.retire(c.ID, key)) })
		}
		all.Wait()
	}},
	{name: "a missing customer's key can't be retired", needs: Fencing, prove: func(b *bench) {
		c := b.payer(Pays)
		b.DeleteCustomer(b.T, c.ID)
		b.refused(b.retire(c.ID, newKey()), fault.NotFound)
		for name, id := range strangers {
			b.Run(name, func(t *testing.T) {
				err := b.Provider.Retire(t.Context(), payment.Retirement{Key: newKey(), CustomerID: id})
				assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
			})
		}
	}},
	{name: "a subscription names the key that made it", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard, TrialDays: trialDays}
		made, err := b.Provider.Subscribe(b.Context(), in)
		require.NoError(b, err)
		assert.Equal(b, in.Key, made.MadeBy)
		changed, err := b.change(made, professional)
		require.NoError(b, err)
		assert.Equal(b, in.Key, changed.MadeBy, "a change does not alter it")
		listed, err := b.Provider.ListSubscriptions(b.Context(), c.ID)
		require.NoError(b, err)
		require.Len(b, listed, 1)
		assert.Equal(b, in.Key, listed[0].MadeBy)
	}},
}

func (b *bench) retire(customerID, key string) error {
	b.Helper()
	return b.Provider.Retire(b.Context(), payment.Retirement{Key: key, CustomerID: customerID})
}

// refusedRetired asserts that a request was refused because its key was retired.
func (b *bench) refusedRetired(err error) {
	b.Helper()
	b.refused(err, fault.Conflict)
	assert.ErrorIs(b, err, payment.ErrKeyRetired)
}
