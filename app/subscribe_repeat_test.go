package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPitfall08_ARepeatAfterSuccessShowsNoFailure(t *testing.T) {
	h := newHouse(t, subscriber(startedTrial()), false)
	h.told(startedTrial())
	h.expects(lastMade("sub_1", withVisa), refetches(startedTrial()))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, startedTrial(), made, "with the secret that the browser still has to use")
}

func TestSubscribeDifferentlyIsNoRepeat(t *testing.T) {
	noTrial, noCard := withVisa, withVisa
	noTrial.NoTrial, noCard.CardID = true, ""
	for name, in := range map[string]SubscribeRequest{"card": otherCard, "trial": noTrial, "default card": noCard} {
		h := newHouse(t, subscriber(startedTrial()), false)
		h.told(startedTrial())
		h.expects(lastMade("sub_1", withVisa))
		h.refused()
		assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, in)(h.bench)), name)
	}
}

func TestSubscribeIsNoRepeatWhenNobodySubscribed(t *testing.T) {
	h := newHouse(t, newcomer(), false)
	h.told(onMonthly(billing.Active)) // somebody made it at the provider's own desk
	lastMade("", withVisa).expect(h.bench, fault.New(fault.NotFound, ""))
	h.refused()
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

func TestSubscribeRepeatedFails(t *testing.T) {
	for _, failing := range []int{0, 1} {
		steps := []step{lastMade("sub_1", withVisa), refetches(startedTrial())}
		h := newHouse(t, subscriber(startedTrial()), false)
		h.told(startedTrial())
		h.expects(steps[:failing]...)
		steps[failing].expect(h.bench, errOutage)
		assert.Equal(t, fault.Unavailable, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
	}
}

func TestSubscribeJoinedFindsWhatTheFirstOneMade(t *testing.T) {
	h := newHouse(t, newcomer(), true)
	h.told(startedTrial())
	h.expects(refetches(startedTrial()))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, startedTrial(), made)
}

func TestSubscribeJoinedSendsTheSameKeys(t *testing.T) {
	h := newHouse(t, newcomer(), true)
	h.told()
	h.expects(savesCard, starts(monthly, 7, startedTrial()), refetches(startedTrial()))
	h.recorded("sub_1")

	require.NoError(t, subscribe(t, withVisa)(h.bench))
	assert.Equal(t, []string{"op_first-card", "op_first-subscribe"}, h.keys())
}

func TestSubscribeJoinedBelievesTheTruthNotTheAnswerGivenAgain(t *testing.T) {
	h := newHouse(t, newcomer(), true)
	h.told(onMonthly(billing.Canceled))
	h.expects(savesCard, starts(monthly, 7, onMonthly(billing.Active)), refetches(onMonthly(billing.Canceled)))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, made.Status)
	assert.Nil(t, h.stored.Billing.License(), "what was canceled must not come back to life")
}

// Two clicks for another plan, while a subscription runs: the second one joins the first, and must
// not take the running subscription for what it asked for.
func TestSubscribeJoinedDoesNotTakeAnotherPlanForItsOwn(t *testing.T) {
	h := newHouse(t, subscriber(onMonthly(billing.Active)), true)
	h.told(onMonthly(billing.Active))
	h.refused()

	_, err := h.Subscribe.Do(t.Context(), who, SubscribeRequest{CardID: "pm_visa", Price: choseYearly})

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}
