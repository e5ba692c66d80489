package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// savesCard expects the card pm_visa to be saved under a key that ends in a suffix.
var savesCard = step{"AddCard", func(b *bench, err error) {
	b.provider.EXPECT().AddCard(mock.Anything, mock.MatchedBy(func(in payment.NewCard) bool {
		return in.CustomerID == "cus_1" && in.CardID == "pm_visa" && in.Key != ""
	})).Return(visa, err).Once()
}}

var addingACard = []step{
	reads("at first", newcomer), nonePending, reads("to plan", newcomer),
	beginsOperation(billing.SubscriptionOperation), reads("again", newcomer), savesCard,
}

func addCard(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.AddCard.Do(t.Context(), who, "pm_visa")
		return err
	}
}

func TestAddCardSavesTheCard(t *testing.T) {
	b := newBench(t)
	for _, s := range append(addingACard, settles(billing.SubscriptionOperation, noResult)) {
		s.expect(b, nil)
	}
	card, err := b.AddCard.Do(t.Context(), who, "pm_visa")
	require.NoError(t, err)
	assert.Equal(t, AddedCard{PaymentMethod: visa}, card)
}

func TestAddCardFailsAndStaysPending(t *testing.T) {
	failsAtEveryStep(t, errOutage, addingACard, addCard(t))
}

func TestAddCardRefusedIsOverWithTheBanksWords(t *testing.T) {
	b := newBench(t)
	for _, s := range addingACard[:5] {
		s.expect(b, nil)
	}
	savesCard.expect(b, fault.New(fault.Declined, "Your card was declined."))
	settles(billing.SubscriptionOperation, "").expect(b, nil)

	err := addCard(t)(b)

	assert.Equal(t, fault.Declined, fault.CodeOf(err))
	assert.Equal(t, "Your card was declined.", fault.MessageOf(err))
}

func TestAddCardWithoutACustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)
	assert.Equal(t, fault.NotFound, fault.CodeOf(addCard(t)(b)))
}

func TestPitfall14_ANewCardIsANewKey(t *testing.T) {
	keys := map[string]bool{}
	for range 2 {
		b := newBench(t)
		for _, s := range addingACard[:5] {
			s.expect(b, nil)
		}
		b.provider.EXPECT().AddCard(mock.Anything, mock.MatchedBy(func(in payment.NewCard) bool {
			keys[in.Key] = true
			assert.NotContains(t, in.Key, "org_1")
			assert.NotContains(t, in.Key, "usr_1")
			return true
		})).Return(visa, nil).Once()
		settles(billing.SubscriptionOperation, noResult).expect(b, nil)
		require.NoError(t, addCard(t)(b))
	}
	assert.Len(t, keys, 2)
}

// An takeoverAge request about a card charges nothing: it is completed.
func TestAddCard_CompletesAnAbandonedOneFirst(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	b.findsPending(billing.Operation{Key: "op_first", Fingerprint: "theirs", Age: takeoverAge, Steps: []billing.Step{
		{Kind: billing.SetDefaultCardStep, Key: "op_first-1", CustomerID: "cus_1", CardID: "pm_theirs"},
	}})
	b.provider.EXPECT().SetDefaultCard(mock.Anything, payment.SavedCard{Key: "op_first-1", CustomerID: "cus_1", CardID: "pm_theirs"}).
		Return(customer, nil).Once()
	b.store.EXPECT().SettleOperation(mock.Anything, "op_first", "", noon).Return(true, nil).Once()
	for _, s := range append(addingACard[1:], settles(billing.SubscriptionOperation, noResult)) {
		s.expect(b, nil)
	}
	assert.NoError(t, addCard(t)(b))
}

func TestAddCardWhileAnotherIsBeingSavedWaits(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	b.findsPending(billing.Operation{Key: "op_first", Fingerprint: "theirs", Age: time.Second})
	assert.Equal(t, fault.Conflict, fault.CodeOf(addCard(t)(b)))
}
