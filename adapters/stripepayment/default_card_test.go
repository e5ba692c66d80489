package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestTheDefaultCardIsSet(t *testing.T) {
	s := newScript(t).on(ownCard, fine(card("pm_1"))).on(setDefault, fine(customer))
	after, err := s.provider().SetDefaultCard(t.Context(), oneCard)
	require.NoError(t, err)
	assert.Equal(t, &savedCard, after.Default)
	assert.Equal(t, []string{ownCard, setDefault}, s.routes())
}

func TestSomebodyElsesCardIsNotMadeTheDefault(t *testing.T) {
	s := newScript(t).on(ownCard, missing("payment_method"))
	_, err := s.provider().SetDefaultCard(t.Context(), oneCard)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	assert.Equal(t, []string{ownCard}, s.routes())
}

func TestTheDefaultCardIsWhatRunningSubscriptionsCharge(t *testing.T) {
	pinned := customer.with(object{"subscriptions": list(
		active.with(object{"id": "sub_0"}),
		active.with(object{"default_payment_method": "pm_old"}),
	)})
	s := newScript(t).on(ownCard, fine(card("pm_1"))).on(setDefault, fine(pinned)).on(changeOwn, fine(active))

	_, err := s.provider().SetDefaultCard(t.Context(), oneCard)

	require.NoError(t, err)
	assert.Equal(t, []string{ownCard, setDefault, changeOwn}, s.routes(), "the one without a card of its own is left alone")
	let := s.last(changeOwn).params
	assert.Equal(t, []string{""}, let["default_payment_method"])
	assert.NotContains(t, let, "default_source")
}

func TestAnOldSourceIsLetGoToo(t *testing.T) {
	pinned := customer.with(object{"subscriptions": list(active.with(object{"default_source": "card_old"}))})
	s := newScript(t).on(attachCard, fine(card("pm_1"))).on(setDefault, fine(pinned)).on(changeOwn, fine(active))
	_, err := s.provider().AddCard(t.Context(), newCard)
	require.NoError(t, err)
	assert.Equal(t, []string{""}, s.last(changeOwn).params["default_source"])
	assert.Equal(t, "key-1-unpin-sub_1", s.last(changeOwn).key())
}

func TestADefaultThatCouldNotReachASubscriptionIsAFailure(t *testing.T) {
	pinned := customer.with(object{"subscriptions": list(active.with(object{"default_payment_method": "pm_old"}))})
	s := newScript(t).on(ownCard, fine(card("pm_1"))).on(setDefault, fine(pinned)).on(changeOwn, refusal(500, object{"type": "api_error"}))
	_, err := s.provider().SetDefaultCard(t.Context(), oneCard)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}
