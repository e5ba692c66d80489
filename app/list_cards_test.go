package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

var listsCards = step{"Cards", func(b *bench, err error) { b.cardsErr = err }}

func TestListCardsListsTheCustomersCards(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	listsCards.expect(b, nil)

	cards, err := b.ListCards.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{visa}, cards)
}

func TestListCardsOfAnOrganisationWithoutCustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)

	cards, err := b.ListCards.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Empty(t, cards)
}

func TestListCardsFails(t *testing.T) {
	list := func(b *bench) error {
		_, err := b.ListCards.Do(t.Context(), who)
		return err
	}
	failsAtEveryStep(t, errOutage, []step{reads("", newcomer), listsCards}, list)
}

func TestListCardsOfACustomerThatIsGone(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	listsCards.expect(b, fault.New(fault.NotFound, "no such customer"))

	_, err := b.ListCards.Do(t.Context(), who)

	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}
