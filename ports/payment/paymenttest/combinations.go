package paymenttest

import (
	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// combinationBehaviours contains a behaviour for each request in each state of a subscription. The behaviours
// check that a subscription never has more than one of these: a pending change, a scheduled change and an end.
var combinationBehaviours = newCombinationBehaviours()

// result is the effect of a request on a subscription.
type result string

const (
	takesEffect    result = "takes effect"
	changesNothing result = "changes nothing"
	isConflict     result = "returns Conflict"
)

// stateRequests contains the requests that are combined with each state.
var stateRequests = []struct {
	name  string
	needs payment.Capability
	send  func(*env, billing.Subscription) (billing.Subscription, error)
}{
	{"an immediate change", payment.ChangeNow, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.changePlan(s, professional)
	}},
	{"a change at renewal", payment.AtPeriodEnd, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.Provider.ChangePlan(t.Context(), changeAtRenewal(s, professionalMonthly))
	}},
	{"an end", payment.AtPeriodEnd, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.setEnd(s, true)
	}},
	{"a resumption", payment.AtPeriodEnd, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.setEnd(s, false)
	}},
	{"a cancellation of the scheduled change", payment.AtPeriodEnd,
		func(t *env, s billing.Subscription) (billing.Subscription, error) {
			req := payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: s.ID}
			return t.Provider.CancelScheduledChange(t.Context(), req)
		}},
	{"an extension of the trial", payment.Trials, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.extendTrial(s, s.TrialEnd.Add(day))
	}},
}

// combinations contains, for each state, the results of the requests in the order of stateRequests.
var combinations = []struct {
	state   string
	trial   bool
	prepare func(*env, billing.Subscription) billing.Subscription
	results []result
}{
	{"a subscription", false, func(_ *env, s billing.Subscription) billing.Subscription { return s },
		[]result{takesEffect, takesEffect, takesEffect, changesNothing, changesNothing, isConflict}},
	{"a subscription with a pending change", false, (*env).startPendingChange,
		[]result{isConflict, isConflict, isConflict, changesNothing, changesNothing, isConflict}},
	{"a subscription with a scheduled change", false, (*env).scheduleMonthlyChange,
		[]result{takesEffect, takesEffect, isConflict, changesNothing, takesEffect, isConflict}},
	{"an ending subscription", false, (*env).mustScheduleEnd,
		[]result{isConflict, isConflict, changesNothing, takesEffect, changesNothing, isConflict}},
	{"a trial", true, func(_ *env, s billing.Subscription) billing.Subscription { return s },
		[]result{takesEffect, takesEffect, takesEffect, changesNothing, changesNothing, takesEffect}},
	{"a trial with a pending change", true, (*env).startPendingChange,
		[]result{isConflict, isConflict, isConflict, changesNothing, changesNothing, isConflict}},
	{"a trial with a scheduled change", true, (*env).scheduleMonthlyChange,
		[]result{takesEffect, takesEffect, isConflict, changesNothing, takesEffect, isConflict}},
	{"an ending trial", true, (*env).mustScheduleEnd,
		[]result{isConflict, isConflict, changesNothing, takesEffect, changesNothing, isConflict}},
}

func newCombinationBehaviours() []behaviour {
	var behaviours []behaviour
	for _, c := range combinations {
		for i, r := range stateRequests {
			want := c.results[i]
			behaviours = append(behaviours, behaviour{name: c.state + ": " + r.name + " " + string(want), check: func(t *env) {
				t.skipWithout(r.needs)
				days := 0
				if c.trial {
					days = trialDays
				}
				s := c.prepare(t, t.subscribe(t.payingCustomer().ID, days))
				updatedSub, err := r.send(t, s)
				t.assertResult(want, s, updatedSub, err)
			}})
		}
	}
	return behaviours
}

// assertResult asserts that a request had the result, and that the subscription has at most one of a pending
// change, a scheduled change and an end.
func (t *env) assertResult(want result, originalSub, updatedSub billing.Subscription, err error) {
	t.Helper()
	switch want {
	case isConflict:
		t.assertFault(err, fault.Conflict)
		updatedSub = originalSub
	case changesNothing:
		assert.NoError(t, err)
		assert.Equal(t, originalSub, updatedSub)
	case takesEffect:
		assert.NoError(t, err)
		assert.NotEqual(t, originalSub, updatedSub)
	}
	assert.Equal(t, updatedSub, t.readSubscription(originalSub.ID, updatedSub.Status))
	assert.LessOrEqual(t, countPlannedChanges(updatedSub), 1)
}

// startPendingChange starts a change to the professional plan with a card that is declined. It then saves a new
// default card that pays.
func (t *env) startPendingChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	t.saveCard(s.CustomerID, DeclinedWhenCharged)
	s, err := t.changePlan(s, professional)
	assert.NoError(t, err)
	assert.NotNil(t, s.Pending)
	t.saveCard(s.CustomerID, Pays)
	return s
}

// scheduleMonthlyChange schedules a change to the monthly price of the standard plan.
func (t *env) scheduleMonthlyChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	return t.mustScheduleChange(s, standardMonthly)
}
