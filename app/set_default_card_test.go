package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// keptCard is the request about one of the customer's cards, under whatever key.
func keptCard(cardID string) any {
	return mock.MatchedBy(func(in payment.SavedCard) bool {
		return in.Key != "" && in.CustomerID == "cus_1" && in.CardID == cardID
	})
}

var setsDefault = step{"SetDefaultCard", func(b *bench, err error) {
	b.provider.EXPECT().SetDefaultCard(mock.Anything, keptCard("pm_visa")).Return(customer, err).Once()
}}

var settingADefault = []step{
	reads("at first", newcomer), nonePending, reads("to plan", newcomer),
	beginsOperation(billing.SubscriptionOperation), reads("again", newcomer), setsDefault,
}

func setDefault(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.SetDefaultCard.Do(t.Context(), who, "pm_visa")
		return err
	}
}

func TestSetDefaultCardReturnsTheCustomer(t *testing.T) {
	b := newBench(t)
	for _, s := range append(settingADefault, settles(billing.SubscriptionOperation, noResult)) {
		s.expect(b, nil)
	}

	got, err := b.SetDefaultCard.Do(t.Context(), who, "pm_visa")

	require.NoError(t, err)
	assert.Equal(t, ChosenCard{Customer: customer}, got)
}

func TestSetDefaultCardFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, settingADefault, setDefault(t))
}

func TestSetDefaultCardOfSomebodyElseIsUnknown(t *testing.T) {
	b := newBench(t)
	for _, s := range append(settingADefault[:5:5], settles(billing.SubscriptionOperation, noResult)) {
		s.expect(b, nil)
	}
	setsDefault.expect(b, fault.New(fault.NotFound, "There is no such card."))
	assert.Equal(t, fault.NotFound, fault.CodeOf(setDefault(t)(b)))
}

func TestSetDefaultCardWithoutACustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)
	assert.Equal(t, fault.NotFound, fault.CodeOf(setDefault(t)(b)))
}
