package paymenttest

import (
	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
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
