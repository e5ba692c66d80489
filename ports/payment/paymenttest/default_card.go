package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

var defaultCardProofs = []proof{
	{name: "becomes one of the saved cards", prove: func(b *bench) {
		c := b.customer()
		older := b.save(c.ID, Pays)
		b.save(c.ID, Pays)

		after, err := b.setDefault(c.ID, older.ID)

		require.NoError(b, err)
		assert.Equal(b, &older, after.Default)
		assert.Equal(b, after, b.look(c.ID))
	}},
	{name: "may be set twice", prove: func(b *bench) {
		c := b.payer(Pays)
		after, err := b.setDefault(c.ID, c.Default.ID)
		require.NoError(b, err)
		assert.Equal(b, c, after)
	}},
	{name: "is what a running subscription charges", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, 0)
		b.save(c.ID, DeclinedWhenCharged)

		s, err := b.change(s, professional)

		require.NoError(b, err)
		require.NotNil(b, s.Pending)
		b.owed(s, billing.RequiresPaymentMethod)
	}},
	{name: "is what a new subscription charges", prove: func(b *bench) {
		c := b.customer()
		good := b.save(c.ID, Pays)
		b.save(c.ID, DeclinedWhenCharged)
		_, err := b.setDefault(c.ID, good.ID)
		require.NoError(b, err)
		assert.Equal(b, billing.Active, b.subscribe(c.ID, 0).Status)
	}},
}
