package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

var listingProofs = []proof{
	{name: "none is an empty list", prove: func(b *bench) {
		assert.Empty(b, b.list(b.customer().ID))
	}},
	{name: "all of them, newest first", prove: func(b *bench) {
		c := b.payer(Pays)
		oldest := b.cancel(b.subscribe(c.ID, 0).ID)
		middle := b.cancel(b.subscribe(c.ID, trialDays).ID)
		newest := b.subscribe(c.ID, 0)
		assert.Equal(b, []string{newest.ID, middle.ID, oldest.ID}, b.list(c.ID))
	}},
	{name: "those in any of the statuses", prove: func(b *bench) {
		c := b.payer(Pays)
		canceled := b.cancel(b.subscribe(c.ID, 0).ID)
		trialing := b.subscribe(c.ID, trialDays)
		active := b.subscribe(c.ID, 0)
		assert.Equal(b, []string{canceled.ID}, b.list(c.ID, billing.Canceled))
		assert.Equal(b, []string{active.ID, trialing.ID}, b.list(c.ID, billing.Active, billing.Trialing))
		assert.Empty(b, b.list(c.ID, billing.PastDue, billing.Unpaid))
	}},
	{name: "as whole as one by one", prove: func(b *bench) {
		c := b.payer(NeedsAuthentication)
		s := b.subscribe(c.ID, trialDays)
		listed, err := b.Provider.ListSubscriptions(b.Context(), c.ID)
		require.NoError(b, err)
		assert.Equal(b, []billing.Subscription{s}, listed)
	}},
	{name: "nobody else's", prove: func(b *bench) {
		mine, theirs := b.payer(Pays), b.payer(Pays)
		s := b.subscribe(mine.ID, 0)
		b.subscribe(theirs.ID, 0)
		assert.Equal(b, []string{s.ID}, b.list(mine.ID))
	}},
	{name: "more than a page of them", prove: func(b *bench) {
		c := b.payer(Pays)
		const many = 12
		for range many {
			b.subscribe(c.ID, trialDays)
		}
		assert.Len(b, b.list(c.ID), many)
	}},
}
