package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

var payInvoiceProofs = []proof{
	{name: "a new card pays the same invoice", prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, Pays)

		after, err := b.pay(s)

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
		after, err := b.pay(s)
		require.NoError(b, err)
		assert.Equal(b, billing.Incomplete, after.Status)
		b.owed(after, billing.RequiresPaymentMethod)
	}},
	{name: "a new card may want authentication", needs: Authentication, prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, NeedsAuthentication)
		after, err := b.pay(s)
		require.NoError(b, err)
		p := b.owed(after, billing.RequiresAction)
		assert.Equal(b, billing.Succeeded, b.ConfirmPayment(b.T, p.ClientSecret, true))
		b.read(s.ID, billing.Active)
	}},
	{name: "a card that is not the default one", prove: func(b *bench) {
		s := b.declined()
		good := b.save(s.CustomerID, Pays)
		bad := b.save(s.CustomerID, DeclinedWhenCharged)

		after, err := b.pay(s, good.ID)

		require.NoError(b, err)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, bad.ID, b.look(s.CustomerID).Default.ID, "paying once makes no default")
	}},
	{name: "says why it was declined", prove: func(b *bench) {
		s := b.declined()
		assert.Equal(b, billing.NewPaymentMethod, s.Next.Kind)
		assert.Equal(b, s.LatestInvoice.ID, s.Next.InvoiceID)
		assert.Equal(b, "Your card was declined.", s.Next.Reason)
		assert.NotEmpty(b, s.Next.Secret)
	}},
	{name: "another amount than due is refused", prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, Pays)
		in := paymentFor(s)
		in.Amount = amount(s.LatestInvoice.AmountDue.Minor() - 1)
		_, err := b.Provider.PayInvoice(b.Context(), in)
		b.refused(err, fault.Conflict)
		assert.Equal(b, s, b.read(s.ID, billing.Incomplete))
	}},
	{name: "another customer's card is refused", prove: func(b *bench) {
		s, stranger := b.declined(), b.payer(Pays)
		_, err := b.pay(s, stranger.Default.ID)
		b.refused(err, fault.NotFound)
		assert.Equal(b, s, b.read(s.ID, billing.Incomplete))
	}},
	{name: "without any card is refused", prove: func(b *bench) {
		s := b.declined()
		require.NoError(b, b.remove(s.CustomerID, b.look(s.CustomerID).Default.ID))
		_, err := b.pay(s)
		b.refused(err, fault.Invalid)
	}},
	{name: "an invoice that is paid is not charged again", prove: func(b *bench) {
		for _, days := range []int{0, trialDays} {
			s := b.subscribe(b.payer(Pays).ID, days)
			after, err := b.pay(s)
			require.NoError(b, err)
			assert.Equal(b, s, after)
		}
	}},
	{name: "an invoice of an ended one is refused", prove: func(b *bench) {
		s := b.declined()
		b.save(s.CustomerID, Pays)
		b.cancel(s.ID)
		_, err := b.pay(s)
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
