package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

var continuationProofs = []proof{
	{name: "a new card pays the same invoice", prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, Pays)

		after, err := b.proceed(s.ID)

		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, s.LatestInvoice.ID, after.LatestInvoice.ID)
		b.owed(after, billing.Succeeded)
		assert.Equal(b, after, b.read(s.ID, billing.Active))
		assert.Equal(b, []string{s.ID}, b.list(s.CustomerID))
	}},
	{name: "a card that is declined again is no error", prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, DeclinedWhenCharged)
		after, err := b.proceed(s.ID)
		require.NoError(b, err)
		assert.Equal(b, billing.Incomplete, after.Status)
		b.owed(after, billing.RequiresPaymentMethod)
	}},
	{name: "a new card may want authentication", needs: Authentication, prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, NeedsAuthentication)
		after, err := b.proceed(s.ID)
		require.NoError(b, err)
		p := b.owed(after, billing.RequiresAction)
		assert.Equal(b, billing.Succeeded, b.ConfirmPayment(b.T, p.ClientSecret, true))
		b.read(s.ID, billing.Active)
	}},
	{name: "a past due one becomes active", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, 0)
		b.save(c.ID, DeclinedWhenCharged)
		s, err := b.change(s.ID, professional)
		require.NoError(b, err)
		require.Equal(b, billing.PastDue, s.Status)

		b.save(c.ID, Pays)
		after, err := b.proceed(s.ID)

		require.NoError(b, err)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, s.LatestInvoice.ID, after.LatestInvoice.ID)
	}},
	{name: "nothing to pay changes nothing", prove: func(b *bench) {
		for _, days := range []int{0, trialDays} {
			s := b.subscribe(b.payer(Pays).ID, days)
			after, err := b.proceed(s.ID)
			require.NoError(b, err)
			assert.Equal(b, s, after)
		}
	}},
	{name: "an ended one is refused", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		b.cancel(s.ID)
		_, err := b.proceed(s.ID)
		b.refused(err, fault.Conflict)
	}},
}

// declined is a subscription whose first payment was declined.
func (b *bench) declined() billing.Subscription {
	b.Helper()
	s := b.subscribe(b.payer(DeclinedWhenCharged).ID, 0)
	require.Equal(b, billing.Incomplete, s.Status)
	return s
}
