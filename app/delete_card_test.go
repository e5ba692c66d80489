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
		b.provider.EXPECT().DeleteCard(mock.Anything, savedCard(card)).Return(err).Once()
	}}
}

func deleteCard(t *testing.T, card string) func(*bench) error {
	return func(b *bench) error { return b.DeleteCard.Do(t.Context(), who, card) }
}

func TestDeleteCardTakesASpareCardAway(t *testing.T) {
	steps := []step{reads("", newcomer), showsCustomer, deletes("pm_spare")}
	passes(t, steps, deleteCard(t, "pm_spare"))
	failsAtEveryStep(t, errOutage, steps, deleteCard(t, "pm_spare"))
}

func TestDeleteCardTakesTheDefaultCardWhenNothingLivesOnIt(t *testing.T) {
	ended := subscription("sub_1", billing.Canceled, monthly)
	steps := []step{
		reads("at first", newcomer), showsCustomer, reads("to sync", newcomer), lists(ended),
		updates("with the truth", newcomer), deletes("pm_visa"),
	}
	passes(t, steps, deleteCard(t, "pm_visa"))
	failsAtEveryStep(t, errOutage, steps, deleteCard(t, "pm_visa"))
}

func TestDeleteCardKeepsTheDefaultCardOfALiveSubscription(t *testing.T) {
	for _, status := range []billing.Status{billing.Trialing, billing.Active, billing.PastDue} {
		t.Run(string(status)+", which our copy has not heard of yet", func(t *testing.T) {
			b, stored := newBench(t), newcomer()
			b.readsOrganisation(newcomer(), nil)
			showsCustomer.expect(b, nil)
			b.syncs(&stored, subscription("sub_1", status, monthly))

			assert.Equal(t, fault.Conflict, fault.CodeOf(deleteCard(t, "pm_visa")(b)))
		})
	}
}

func TestDeleteCardWithoutADefault(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(billing.Customer{ID: "cus_1"}, nil).Once()
	deletes("pm_visa").expect(b, nil)

	assert.NoError(t, deleteCard(t, "pm_visa")(b))
}

func TestDeleteCardOfSomebodyElseIsUnknown(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	showsCustomer.expect(b, nil)
	deletes("pm_theirs").expect(b, fault.New(fault.NotFound, "There is no such card."))

	assert.Equal(t, fault.NotFound, fault.CodeOf(deleteCard(t, "pm_theirs")(b)))
}

func TestDeleteCardWithoutACustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)
	assert.Equal(t, fault.NotFound, fault.CodeOf(deleteCard(t, "pm_visa")(b)))
}
