package app

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

func TestPitfall08_ARepeatAfterSuccessShowsNoFailure(t *testing.T) {
	h := newHouse(t, subscriber(startedTrial()))
	h.last = doneBy(withVisa, "sub_1")
	h.told(startedTrial())
	h.expects(refetches(startedTrial()))

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, startedTrial(), made, "with the secret that the browser still has to use")
}

func TestSubscribeDifferentlyIsNoRepeat(t *testing.T) {
	noTrial, noCard := withVisa, withVisa
	noTrial.NoTrial, noCard.CardID = true, ""
	for name, in := range map[string]SubscribeRequest{"card": otherCard, "trial": noTrial, "default card": noCard} {
		h := newHouse(t, subscriber(startedTrial()))
		h.last = doneBy(withVisa, "sub_1")
		h.told(startedTrial())
		assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, in)(h.bench)), name)
	}
}

func TestSubscribeIsNoRepeatWhenNobodySubscribed(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(refusesFirst)
	h.told(onMonthly(billing.Active)) // somebody made it at the provider's own desk
	h.refused()
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

func TestSubscribeRepeatedFails(t *testing.T) {
	trialist := func() account.Organisation { return subscriber(startedTrial()) }
	made := step{"OperationMade", func(b *bench, err error) {
		b.store.EXPECT().OperationMade(mock.Anything, storage.Made{
			OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: fingerprintOf(withVisa), Result: "sub_1",
		}).Return(err == nil, err).Once()
	}}
	failsAtEveryStep(t, errOutage, append(looking(trialist, startedTrial())[:6],
		nonePending, made, refetches(startedTrial()),
	), subscribe(t, withVisa))
}

// firstStart is the step of a first purchase.
var firstStart = billing.Step{
	Kind: billing.StartSubscriptionStep, CustomerID: "cus_1", CardID: "pm_visa", Price: monthly, TrialDays: 7, First: true,
}

func TestSubscribe_JoinedSendsTheStepsThatWereStored(t *testing.T) {
	stored := firstStart
	stored.TrialDays = 3 // whatever a plan would say now
	h := newHouse(t, subscriber(subscription("sub_0", billing.Canceled, yearly)), stored)
	h.told(subscription("sub_0", billing.Canceled, yearly))
	h.expects(starts("pm_visa", monthly, 3, startedTrial()), refetches(startedTrial()))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, startedTrial(), made)
	assert.Equal(t, []string{"op_first-1"}, h.keys())
}

func TestSubscribeJoinedBelievesTheTruthNotTheAnswerGivenAgain(t *testing.T) {
	h := newHouse(t, newcomer(), firstStart)
	h.expects(starts("pm_visa", monthly, 7, onMonthly(billing.Active)), refetches(onMonthly(billing.Canceled)))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, made.Status)
	assert.Nil(t, h.stored.Billing.License(), "what was canceled must not come back to life")
}

// The key of the step was retired: another server has taken over, and settles the operation.
func TestSubscribe_StopsWhenItsKeyWasRetired(t *testing.T) {
	for _, joined := range [][]billing.Step{nil, {firstStart}} {
		h := newHouse(t, newcomer(), joined...)
		starts("pm_visa", monthly, 7, billing.Subscription{}).
			expect(h.bench, fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up."))

		err := subscribe(t, withVisa)(h.bench)

		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		require.ErrorIs(t, err, payment.ErrKeyRetired)
		assert.Len(t, h.keys(), 1, "nothing is sent under another key")
	}
}

// Two clicks for another plan, while a subscription runs: the second one joins the first, and must
// not take the running subscription for what it asked for.
func TestSubscribeJoinedDoesNotTakeAnotherPlanForItsOwn(t *testing.T) {
	h := newHouse(t, subscriber(onMonthly(billing.Active)), firstStart)
	_, err := h.Subscribe.Do(t.Context(), who, SubscribeRequest{CardID: "pm_visa", Price: choseYearly})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

// The report shows what a repeat has made that is still pending: it is joined.
func TestSubscribe_JoinsARepeatWhoseEffectItSeesFirst(t *testing.T) {
	h := newHouse(t, subscriber(subscription("sub_0", billing.Canceled, yearly)))
	h.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").RunAndReturn(
		func(context.Context, string, ...billing.Status) ([]billing.Subscription, error) {
			h.pending = &billing.Operation{
				Key: "op_first", Fingerprint: fingerprintOf(withVisa), Steps: billing.WithKeys("op_first", []billing.Step{firstStart}),
			}
			return []billing.Subscription{startedTrial()}, nil
		}).Once()
	h.updatesOrganisation(&h.stored, nil)
	h.told(startedTrial())
	h.expects(starts("pm_visa", monthly, 7, startedTrial()), refetches(startedTrial()))
	h.recorded("sub_1")

	require.NoError(t, subscribe(t, withVisa)(h.bench))
	assert.Equal(t, []string{"op_first-1"}, h.keys())
}

// A repeat began and ended between our look and our beginning.
func TestSubscribeOvertakenByARepeatSucceeds(t *testing.T) {
	tests := map[string]struct {
		stored account.Organisation
		truth  []billing.Subscription
	}{
		"a first one": {newcomer(), nil},
		"an open one": {subscriber(declined()), []billing.Subscription{declined()}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, tt.stored)
			if len(tt.truth) > 0 {
				h.told(tt.truth...)
			}
			h.overtakenBy(doneBy(withVisa, "sub_1"), onMonthly(billing.Active))
			h.expects(refetches(onMonthly(billing.Active)))
			assert.NoError(t, subscribe(t, withVisa)(h.bench))
		})
	}
}

// Another request began and ended between our look and our beginning.
func TestSubscribeOvertakenByAnotherRequestIsRefused(t *testing.T) {
	h := newHouse(t, newcomer())
	h.overtakenBy(doneBy(otherCard, "sub_1"), onMonthly(billing.Active))
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

// Whatever keeps on changing, a request ends.
func TestSubscribe_PlansABoundedNumberOfTimes(t *testing.T) {
	h := newHouse(t, newcomer())
	tries := 0
	h.begun = func() error {
		tries++
		return storage.ErrPlanOutdated
	}
	assert.Error(t, subscribe(t, withVisa)(h.bench))
	assert.Equal(t, maxBeginAttempts, tries)
}
