package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPitfall08_ARepeatAfterSuccessShowsNoFailure(t *testing.T) {
	h := newHouse(t, subscriber(startedTrial()), false)
	h.last = doneBy(withVisa, "sub_1")
	h.told(startedTrial())
	h.expects(refetches(startedTrial()))
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
		h.last = doneBy(withVisa, "sub_1")
		h.told(startedTrial())
		h.refused()
		assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, in)(h.bench)), name)
	}
}

func TestSubscribeIsNoRepeatWhenNobodySubscribed(t *testing.T) {
	h := newHouse(t, newcomer(), false)
	h.expects(unheardOf)
	h.told(onMonthly(billing.Active)) // somebody made it at the provider's own desk
	h.refused()
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

func TestSubscribeRepeatedFails(t *testing.T) {
	trialist := func() account.Organisation { return subscriber(startedTrial()) }
	done := doneBy(withVisa, "sub_1")
	failsAtEveryStep(t, errOutage, append(looking(trialist, startedTrial()),
		lastDone("under the operation", done), refetches(startedTrial()), updates("with the truth again", after(trialist, startedTrial())),
	), subscribe(t, withVisa))
}

func TestSubscribeJoinedFindsWhatTheFirstOneMade(t *testing.T) {
	h := newHouse(t, newcomer(), true)
	h.told(startedTrial())
	h.expects(unheardOf, refetches(startedTrial()))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, startedTrial(), made)
}

func TestSubscribeJoinedSendsTheSameKeys(t *testing.T) {
	h := newHouse(t, newcomer(), true)
	h.expects(starts("pm_visa", monthly, 7, startedTrial()), refetches(startedTrial()))
	h.recorded("sub_1")

	require.NoError(t, subscribe(t, withVisa)(h.bench))
	assert.Equal(t, []string{"op_first-first"}, h.keys())
}

func TestSubscribeJoinedBelievesTheTruthNotTheAnswerGivenAgain(t *testing.T) {
	h := newHouse(t, newcomer(), true)
	h.expects(starts("pm_visa", monthly, 7, onMonthly(billing.Active)), refetches(onMonthly(billing.Canceled)))
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

// A repeat joined this request right after it had begun, and was quicker.
func TestSubscribeOvertakenByARepeatSucceeds(t *testing.T) {
	tests := map[string]struct {
		stored account.Organisation
		truth  []billing.Subscription
		last   billing.Operation
	}{
		"a first one": {newcomer(), nil, billing.Operation{}},
		"an open one": {subscriber(declined()), []billing.Subscription{declined()}, doneBy(otherCard, "sub_1")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, tt.stored, false)
			h.last = tt.last
			if len(tt.truth) > 0 {
				h.told(tt.truth...)
			}
			h.overtakenBy(onMonthly(billing.Active))
			h.expects(refetches(onMonthly(billing.Active)))
			h.recorded("sub_1")
			assert.NoError(t, subscribe(t, withVisa)(h.bench))
		})
	}
}

// Another request began and ended between our look and our beginning.
func TestSubscribeOvertakenByAnotherRequestIsRefused(t *testing.T) {
	h := newHouse(t, newcomer(), false)
	h.overtakenBy(onMonthly(billing.Active))
	record := h.begun
	h.begun = func() {
		record()
		h.last = doneBy(otherCard, "sub_1")
	}
	h.refused()
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}
