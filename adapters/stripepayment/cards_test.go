package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	listCards   = "GET /v1/customers/cus_1/payment_methods"
	attachCard  = "POST /v1/payment_methods/pm_1/attach"
	readCard    = "GET /v1/payment_methods/pm_1"
	ownCard     = "GET /v1/customers/cus_1/payment_methods/pm_1"
	detachCard  = "POST /v1/payment_methods/pm_1/detach"
	setDefault  = "POST /v1/customers/cus_1"
	changeOwn   = "POST /v1/subscriptions/sub_1"
	refusedCard = "The payment method you provided has already been attached to a customer."
)

var (
	newCard   = payment.NewCard{Key: "key-1", CustomerID: "cus_1", CardID: "pm_1"}
	savedCard = billing.PaymentMethod{ID: "pm_1", Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2034}}
)

func TestCardsAreListedPageByPage(t *testing.T) {
	first := list(card("pm_3"), card("pm_2")).with(object{"has_more": true})
	s := newScript(t).on(listCards, fine(first), fine(list(card("pm_1"))))

	cards, err := s.provider().Cards(t.Context(), "cus_1")

	require.NoError(t, err)
	require.Len(t, cards, 3)
	assert.Equal(t, "pm_3", cards[0].ID)
	assert.Equal(t, savedCard, cards[2])
	assert.Equal(t, url.Values{"type": {"card"}, "limit": {"100"}, "starting_after": {"pm_2"}}, s.last(listCards).params)
}

func TestNoCardsAreAnEmptyList(t *testing.T) {
	s := newScript(t).on(listCards, fine(list()))
	cards, err := s.provider().Cards(t.Context(), "cus_1")
	require.NoError(t, err)
	assert.NotNil(t, cards)
	assert.Empty(t, cards)
}

func TestALaterPageThatFailsFailsTheList(t *testing.T) {
	s := newScript(t).on(listCards, fine(list(card("pm_2")).with(object{"has_more": true})), invalidRequest(nil))
	_, err := s.provider().Cards(t.Context(), "cus_1")
	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
}

func TestACardIsSavedAndMadeTheDefault(t *testing.T) {
	s := newScript(t).on(attachCard, fine(card("pm_1"))).on(setDefault, fine(customer))

	saved, err := s.provider().AddCard(t.Context(), newCard)

	require.NoError(t, err)
	assert.Equal(t, savedCard, saved)
	assert.Equal(t, []string{attachCard, setDefault}, s.routes())
	assert.Equal(t, "key-1", s.last(attachCard).key())
	assert.Equal(t, url.Values{"customer": {"cus_1"}}, s.last(attachCard).params)
	assert.Equal(t, "key-1-default", s.last(setDefault).key())
	assert.Equal(t, "pm_1", s.last(setDefault).params.Get("invoice_settings[default_payment_method]"))
}

func TestTheCardThatStripeMadeOfAStandInIsTheDefault(t *testing.T) {
	s := newScript(t).on("POST /v1/payment_methods/pm_card_visa/attach", fine(card("pm_9"))).on(setDefault, fine(customer))
	saved, err := s.provider().AddCard(t.Context(), payment.NewCard{Key: "key-1", CustomerID: "cus_1", CardID: "pm_card_visa"})
	require.NoError(t, err)
	assert.Equal(t, "pm_9", saved.ID)
	assert.Equal(t, "pm_9", s.last(setDefault).params.Get("invoice_settings[default_payment_method]"))
}

func TestADeclinedCardIsNotTheDefault(t *testing.T) {
	s := newScript(t).on(attachCard, declined())
	_, err := s.provider().AddCard(t.Context(), newCard)
	assert.Equal(t, fault.Declined, fault.CodeOf(err))
	assert.Equal(t, "Your card has insufficient funds.", fault.MessageOf(err))
	assert.Equal(t, []string{attachCard}, s.routes())
}

func TestACardThatCannotBeAttached(t *testing.T) {
	for name, c := range map[string]struct {
		owner any
		want  fault.Code
	}{
		"is somebody else's":        {"cus_2", fault.NotFound},
		"was used up":               {nil, fault.Conflict},
		"is the customer's already": {"cus_1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(attachCard, invalidRequest(object{"message": refusedCard})).on(setDefault, fine(customer)).
				on(readCard, fine(card("pm_1").with(object{"customer": c.owner})))
			_, err := s.provider().AddCard(t.Context(), newCard)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

var oneCard = payment.SavedCard{Key: "key-1", CustomerID: "cus_1", CardID: "pm_1"}

func TestACardIsDeletedByItsOwnerOnly(t *testing.T) {
	mine := card("pm_1").with(object{"customer": "cus_1"})
	s := newScript(t).on(readCard, fine(mine)).on(detachCard, fine(card("pm_1")))
	require.NoError(t, s.provider().DeleteCard(t.Context(), oneCard))
	assert.Equal(t, []string{readCard, detachCard}, s.routes())
	assert.Equal(t, "key-1", s.last(detachCard).key())

	stranger := newScript(t).on(readCard, fine(card("pm_1").with(object{"customer": "cus_2"})))
	assert.Equal(t, fault.NotFound, fault.CodeOf(stranger.provider().DeleteCard(t.Context(), oneCard)))
	assert.Equal(t, []string{readCard}, stranger.routes(), "nobody detaches it")
}

func TestACardSomebodyHasJustDeletedIsNotThere(t *testing.T) {
	s := newScript(t).on(readCard, fine(card("pm_1"))).on(detachCard, invalidRequest(nil))
	assert.Equal(t, fault.NotFound, fault.CodeOf(s.provider().DeleteCard(t.Context(), oneCard)))
}

func TestDeletingIsTriedAgainUnderOneKey(t *testing.T) {
	s := newScript(t).on(readCard, fine(card("pm_1"))).on(detachCard, answer{reset: true}, fine(card("pm_1")))
	require.NoError(t, s.provider().DeleteCard(t.Context(), oneCard))
	tries := s.requests()[1:]
	require.Len(t, tries, 2)
	assert.Equal(t, tries[0].key(), tries[1].key())
}
