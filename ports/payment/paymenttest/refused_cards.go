package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var refusedCardProofs = []proof{
	{name: "declined when saved", prove: func(b *bench) {
		b.neverSaved(DeclinedWhenSaved, "Your card was declined.")
	}},
	{name: "expired", prove: func(b *bench) {
		b.neverSaved(Expired, "Your card has expired.")
	}},
	{name: "insufficient funds never pay", prove: func(b *bench) {
		c := b.customer()
		err := b.tryToSave(c.ID, InsufficientFunds)
		if err != nil {
			assert.Equal(b, fault.Declined, fault.CodeOf(err))
			assert.Equal(b, "Your card has insufficient funds.", fault.MessageOf(err))
			return
		}
		b.owed(b.subscribe(c.ID, 0), billing.RequiresPaymentMethod)
	}},
	{name: "a lost card is refused for good", prove: func(b *bench) {
		c := b.customer()
		if err := b.tryToSave(c.ID, Lost); err != nil {
			assert.Equal(b, fault.Declined, fault.CodeOf(err), "it is never charged")
			return
		}
		assert.True(b, b.owed(b.subscribe(c.ID, 0), billing.RequiresPaymentMethod).HardDecline)
	}},
	{name: "a card without enough money may do later", prove: func(b *bench) {
		c := b.customer()
		b.save(c.ID, DeclinedWhenCharged)
		assert.False(b, b.owed(b.subscribe(c.ID, 0), billing.RequiresPaymentMethod).HardDecline)
	}},
	{name: "a decline is the answer to its key for good", prove: func(b *bench) {
		c := b.customer()
		id, err := b.MakeCard(b.T, DeclinedWhenSaved)
		if err != nil {
			assert.Equal(b, fault.Declined, fault.CodeOf(err), "refused in the browser: nothing ever reaches us")
			return
		}
		in := payment.NewCard{Key: newKey(), CustomerID: c.ID, CardID: id}
		_, first := b.Provider.AddCard(b.Context(), in)
		_, again := b.Provider.AddCard(b.Context(), in)
		b.refused(first, fault.Declined)
		b.refused(again, fault.Declined)
		assert.Equal(b, fault.MessageOf(first), fault.MessageOf(again))
	}},
}

// neverSaved proves that the card is refused with the provider's words and leaves no trace.
func (b *bench) neverSaved(s Scenario, message string) {
	b.Helper()
	c := b.payer(Pays)
	cards := b.cards(c.ID)

	err := b.tryToSave(c.ID, s)

	require.Error(b, err)
	assert.Equal(b, fault.Declined, fault.CodeOf(err))
	assert.Equal(b, message, fault.MessageOf(err))
	assert.Equal(b, cards, b.cards(c.ID))
	assert.Equal(b, c, b.look(c.ID))
}

// tryToSave makes and saves a card of the kind; either may be refused.
func (b *bench) tryToSave(customerID string, s Scenario) error {
	b.Helper()
	id, err := b.MakeCard(b.T, s)
	if err == nil {
		_, err = b.add(customerID, id)
	}
	return err
}
