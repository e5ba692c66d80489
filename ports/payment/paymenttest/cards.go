package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var cardProofs = []proof{
	{name: "none is an empty list", prove: func(b *bench) {
		cards := b.cards(b.customer().ID)
		assert.NotNil(b, cards)
		assert.Empty(b, cards)
	}},
	{name: "a saved card shows what may be known of it", prove: func(b *bench) {
		c := b.customer()
		card := b.save(c.ID, Pays)
		assert.NotEmpty(b, card.ID)
		assert.Equal(b, "visa", card.Card.Brand)
		assert.Regexp(b, `^[0-9]{4}$`, card.Card.Last4)
		assert.True(b, card.Card.ExpMonth >= 1 && card.Card.ExpMonth <= 12)
		assert.GreaterOrEqual(b, card.Card.ExpYear, b.Now().Year())
		assert.Equal(b, []billing.PaymentMethod{card}, b.cards(c.ID))
	}},
	{name: "the same card has the same fingerprint under every id", prove: func(b *bench) {
		c := b.customer()
		card, again, other := b.save(c.ID, Pays), b.save(c.ID, Pays), b.save(c.ID, DeclinedWhenCharged)
		assert.NotEmpty(b, card.Card.Fingerprint)
		assert.NotEqual(b, card.ID, again.ID)
		assert.Equal(b, card.Identity(), again.Identity())
		assert.NotEqual(b, card.Card.Fingerprint, other.Card.Fingerprint)
		assert.Equal(b, []billing.PaymentMethod{other, again, card}, b.cards(c.ID))
		assert.Equal(b, &other, b.look(c.ID).Default)
	}},
	{name: "the newest comes first and gets charged", prove: func(b *bench) {
		c := b.customer()
		older := b.save(c.ID, Pays)
		newer := b.save(c.ID, Pays)
		assert.Equal(b, []billing.PaymentMethod{newer, older}, b.cards(c.ID))
		assert.Equal(b, &newer, b.look(c.ID).Default)
	}},
	{name: "a card the customer has just becomes the default", prove: func(b *bench) {
		c := b.customer()
		older := b.save(c.ID, Pays)
		b.save(c.ID, Pays)
		again, err := b.add(c.ID, older.ID)
		require.NoError(b, err)
		assert.Equal(b, older, again)
		assert.Equal(b, &older, b.look(c.ID).Default)
		assert.Len(b, b.cards(c.ID), 2)
	}},
	{name: "a card is saved beside the default one", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewCard{Key: newKey(), CustomerID: c.ID, CardID: b.made(Pays), KeepDefault: true}

		saved, err := b.Provider.AddCard(b.Context(), in)

		require.NoError(b, err)
		assert.Equal(b, c.Default, b.look(c.ID).Default)
		assert.Equal(b, []billing.PaymentMethod{saved, *c.Default}, b.cards(c.ID))
		in.Key, in.CardID = newKey(), saved.ID
		again, err := b.Provider.AddCard(b.Context(), in)
		require.NoError(b, err)
		assert.Equal(b, saved, again)
		assert.Equal(b, c.Default, b.look(c.ID).Default)
	}},
	{name: "a deleted card is gone for good", prove: func(b *bench) {
		c := b.customer()
		gone, kept := b.save(c.ID, Pays), b.save(c.ID, Pays)
		require.NoError(b, b.remove(c.ID, gone.ID))
		assert.Equal(b, []billing.PaymentMethod{kept}, b.cards(c.ID))
		assert.Equal(b, &kept, b.look(c.ID).Default)

		_, err := b.setDefault(c.ID, gone.ID)
		b.refused(err, fault.NotFound)
		_, err = b.add(c.ID, gone.ID)
		b.refused(err, fault.NotFound, fault.Conflict, fault.Invalid)
		b.refused(b.remove(c.ID, gone.ID), fault.NotFound)
	}},
	{name: "deleting the default card leaves none", prove: func(b *bench) {
		c := b.customer()
		other, standing := b.save(c.ID, Pays), b.save(c.ID, Pays)
		require.NoError(b, b.remove(c.ID, standing.ID))
		assert.Nil(b, b.look(c.ID).Default)
		assert.Equal(b, []billing.PaymentMethod{other}, b.cards(c.ID))
	}},
	{name: "another customer's card is not there", prove: func(b *bench) {
		owner, stranger := b.payer(Pays), b.payer(Pays)
		card := owner.Default.ID

		_, err := b.add(stranger.ID, card)
		b.refused(err, fault.NotFound)
		_, err = b.setDefault(stranger.ID, card)
		b.refused(err, fault.NotFound)
		b.refused(b.remove(stranger.ID, card), fault.NotFound)

		assert.Equal(b, owner, b.look(owner.ID))
		assert.Equal(b, stranger, b.look(stranger.ID))
		assert.Len(b, b.cards(owner.ID), 1)
		assert.Len(b, b.cards(stranger.ID), 1)
	}},
	{name: "a card nobody has saved can't become a default", prove: func(b *bench) {
		c := b.payer(Pays)
		_, err := b.setDefault(c.ID, b.made(Pays))
		b.refused(err, fault.NotFound)
		assert.Equal(b, c, b.look(c.ID))
	}},
}

func (b *bench) cards(customerID string) []billing.PaymentMethod {
	b.Helper()
	cards, err := b.Provider.Cards(b.Context(), customerID)
	require.NoError(b, err)
	return cards
}
