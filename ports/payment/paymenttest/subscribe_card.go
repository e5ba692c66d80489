package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var subscribeCardProofs = []proof{
	{name: "becomes the default card and is charged", prove: func(b *bench) {
		c := b.payer(DeclinedWhenCharged)
		card := b.made(Pays)
		s, err := b.Provider.Subscribe(b.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: c.ID, CardID: card, Price: standard,
		})
		require.NoError(b, err)
		assert.Equal(b, billing.Active, s.Status)
		require.NotNil(b, b.look(c.ID).Default)
		assert.Equal(b, b.cards(c.ID)[0], *b.look(c.ID).Default)
		assert.Len(b, b.cards(c.ID), 2)

		b.save(c.ID, DeclinedWhenCharged)
		s, err = b.change(s, professional)
		require.NoError(b, err)
		assert.NotNil(b, s.Pending, "the default card is charged from then on, not the one it began with")
	}},
	{name: "may be one of the saved ones", prove: func(b *bench) {
		c := b.customer()
		good := b.save(c.ID, Pays)
		b.save(c.ID, DeclinedWhenCharged)
		s, err := b.Provider.Subscribe(b.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: c.ID, CardID: good.ID, Price: standard,
		})
		require.NoError(b, err)
		assert.Equal(b, billing.Active, s.Status)
		assert.Equal(b, &good, b.look(c.ID).Default)
	}},
	{name: "declined when saved starts nothing", prove: func(b *bench) {
		c := b.customer()
		id, err := b.MakeCard(b.T, DeclinedWhenSaved)
		if err == nil {
			_, err = b.buyWith(c.ID, id)
		}
		b.refused(err, fault.Declined)
		assert.Empty(b, b.list(c.ID))
		assert.Nil(b, b.look(c.ID).Default)
	}},
	{name: "of another customer is not there", prove: func(b *bench) {
		owner, stranger := b.payer(Pays), b.payer(Pays)
		_, err := b.buyWith(stranger.ID, owner.Default.ID)
		b.refused(err, fault.NotFound)
		assert.Empty(b, b.list(stranger.ID))
		assert.Equal(b, owner, b.look(owner.ID))
	}},
	{name: "asks for its authentication", prove: func(b *bench) {
		s, err := b.buyWith(b.customer().ID, b.made(NeedsAuthentication))
		require.NoError(b, err)
		assert.Equal(b, billing.Trialing, s.Status)
		require.NotNil(b, s.PendingSetup)
		assert.NotEmpty(b, s.PendingSetup.ClientSecret)
	}},
}

var soleProofs = []proof{
	{name: "is refused beside one that is not over", prove: func(b *bench) {
		paid, tried, open := b.payer(Pays), b.payer(Pays), b.payer(DeclinedWhenCharged)
		b.subscribe(paid.ID, 0)
		b.subscribe(tried.ID, trialDays)
		b.subscribe(open.ID, 0)
		for _, c := range []billing.Customer{paid, tried, open} {
			for _, card := range []string{"", b.made(Pays)} {
				_, err := b.buySole(c.ID, card)
				b.refused(err, fault.Conflict)
			}
			assert.Len(b, b.list(c.ID), 1)
		}
	}},
	{name: "nor is a first one beside what has ended", prove: func(b *bench) {
		c := b.payer(Pays)
		b.cancel(b.subscribe(c.ID, trialDays).ID)
		for _, card := range []string{"", b.made(Pays)} {
			_, err := b.Provider.Subscribe(b.Context(), payment.NewSubscription{
				Key: newKey(), CustomerID: c.ID, CardID: card, Price: standard, TrialDays: trialDays, First: true,
			})
			b.refused(err, fault.Conflict)
		}
		assert.Len(b, b.list(c.ID), 1)
	}},
	{name: "is not kept from by what has ended", prove: func(b *bench) {
		c := b.payer(Pays)
		b.cancel(b.subscribe(c.ID, 0).ID)
		s, err := b.buySole(c.ID, "")
		require.NoError(b, err)
		assert.Equal(b, billing.Active, s.Status)
	}},
}

func (b *bench) buySole(customerID, cardID string) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.Subscribe(b.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, CardID: cardID, Price: standard, Sole: true,
	})
}
