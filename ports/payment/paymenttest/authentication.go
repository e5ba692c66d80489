package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

var authenticationProofs = []proof{
	{name: "a payment waits for it", prove: func(b *bench) {
		s := b.waiting()
		assert.Equal(b, billing.Incomplete, s.Status)
		assert.Equal(b, s, b.read(s.ID, billing.Incomplete))
	}},
	{name: "a payment goes through with it", needs: Authentication, prove: func(b *bench) {
		s := b.waiting()
		assert.Equal(b, billing.Succeeded, b.ConfirmPayment(b.T, s.LatestInvoice.Payment.ClientSecret, true))
		after := b.read(s.ID, billing.Active)
		b.owed(after, billing.Succeeded)
		assert.Equal(b, s.LatestInvoice.ID, after.LatestInvoice.ID)
	}},
	{name: "a payment does not go through without it", needs: Authentication, prove: func(b *bench) {
		s := b.waiting()
		assert.Equal(b, billing.RequiresPaymentMethod, b.ConfirmPayment(b.T, s.LatestInvoice.Payment.ClientSecret, false))
		b.owed(b.read(s.ID, billing.Incomplete), billing.RequiresPaymentMethod)
	}},
	{name: "another card pays after it failed", needs: Authentication, prove: func(b *bench) {
		s := b.waiting()
		b.ConfirmPayment(b.T, s.LatestInvoice.Payment.ClientSecret, false)
		b.save(s.CustomerID, Pays)
		after, err := b.pay(s)
		require.NoError(b, err)
		assert.Equal(b, billing.Active, after.Status)
	}},
	{name: "another card pays instead of it", prove: func(b *bench) {
		s := b.waiting()
		b.save(s.CustomerID, Pays)
		after, err := b.pay(s)
		require.NoError(b, err)
		assert.Equal(b, billing.Active, after.Status)
		b.owed(after, billing.Succeeded)
	}},
}

// waiting is a subscription whose first payment waits for the card's holder.
func (b *bench) waiting() billing.Subscription {
	b.Helper()
	s := b.subscribe(b.payer(NeedsAuthentication).ID, 0)
	b.owed(s, billing.RequiresAction)
	return s
}
