package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func deletes(card string) step {
	return step{"DeleteCard", func(b *bench, err error) {
		b.provider.EXPECT().DeleteCard(mock.Anything, keptCard(card)).Return(err).Once()
	}}
}

func deleteCard(t *testing.T, card string) func(*bench) error {
	return func(b *bench) error { return b.DeleteCard.Do(t.Context(), who, card) }
}

// deletingACard are the steps with which a request to delete a card begins.
func deletingACard(more ...step) []step {
	return append([]step{
		reads("at first", newcomer), beginsOperation(billing.SubscriptionOperation), reads("again", newcomer), showsCustomer,
	}, more...)
}

var deleted = settles(billing.SubscriptionOperation, noResult)

func TestDeleteCardTakesASpareCardAway(t *testing.T) {
	steps := deletingACard(deletes("pm_spare"))
	passes(t, append(steps, deleted), deleteCard(t, "pm_spare"))
	failsAtEveryStep(t, errOutage, steps, deleteCard(t, "pm_spare"))
}

func TestDeleteCardTakesTheDefaultCardWhenNothingLivesOnIt(t *testing.T) {
	ended := subscription("sub_1", billing.Canceled, monthly)
	steps := deletingACard(reads("to sync", newcomer), lists(ended), updates("with the truth", newcomer), deletes("pm_visa"))
	passes(t, append(steps, deleted), deleteCard(t, "pm_visa"))
	failsAtEveryStep(t, errOutage, steps, deleteCard(t, "pm_visa"))
}

func TestDeleteCard_KeepsTheDefaultCardOfALiveOrOpenSubscription(t *testing.T) {
	for _, status := range []billing.Status{billing.Trialing, billing.Active, billing.PastDue, billing.Incomplete} {
		t.Run(string(status)+", which our copy has not heard of yet", func(t *testing.T) {
			b, stored := newBench(t), newcomer()
			for _, s := range append(deletingACard(), deleted) {
				s.expect(b, nil)
			}
			b.syncs(&stored, subscription("sub_1", status, monthly))

			assert.Equal(t, fault.Conflict, fault.CodeOf(deleteCard(t, "pm_visa")(b)))
		})
	}
}

func TestDeleteCardWithoutADefault(t *testing.T) {
	b := newBench(t)
	for _, s := range append(deletingACard()[:3], deletes("pm_visa"), deleted) {
		s.expect(b, nil)
	}
	b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(billing.Customer{ID: "cus_1"}, nil).Once()

	assert.NoError(t, deleteCard(t, "pm_visa")(b))
}

func TestDeleteCardOfSomebodyElseIsUnknown(t *testing.T) {
	b := newBench(t)
	for _, s := range append(deletingACard(), deleted) {
		s.expect(b, nil)
	}
	deletes("pm_theirs").expect(b, fault.New(fault.NotFound, "There is no such card."))

	assert.Equal(t, fault.NotFound, fault.CodeOf(deleteCard(t, "pm_theirs")(b)))
}

func TestDeleteCardWithoutACustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)
	assert.Equal(t, fault.NotFound, fault.CodeOf(deleteCard(t, "pm_visa")(b)))
}
