package paymenttest

import (
	"cmp"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// combinationBehaviours contains a behaviour for each request in each state of a subscription. The behaviours check that a
// subscription never has more than one of these: a pending change, a scheduled change and an end. They also check that a plan
// change and its quote are refused alike.
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
		return t.sendQuotedChange(planChange(s, professional))
	}},
	{"a change at renewal", payment.AtPeriodEnd, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.sendQuotedChange(changeAtRenewal(s, professionalMonthly))
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
		return t.extendTrial(s, cmp.Or(s.TrialEnd, t.Now()).Add(day))
	}},
}

// combinations contains, for each state, the results of the requests in the order of stateRequests. "" stands for a result
// that the port does not define.
var combinations = []struct {
	state   string
	prepare func(*env) billing.Subscription
	results []result
}{
	{"a subscription", (*env).paidSubscription,
		[]result{takesEffect, takesEffect, takesEffect, changesNothing, changesNothing, isConflict}},
	{"a subscription with a pending change", inState((*env).paidSubscription, (*env).startPendingChange),
		[]result{isConflict, isConflict, isConflict, changesNothing, changesNothing, isConflict}},
	{"a subscription with a scheduled change", inState((*env).paidSubscription, (*env).scheduleMonthlyChange),
		[]result{takesEffect, takesEffect, isConflict, changesNothing, takesEffect, isConflict}},
	{"an ending subscription", inState((*env).paidSubscription, (*env).mustScheduleEnd),
		[]result{isConflict, isConflict, changesNothing, takesEffect, changesNothing, isConflict}},
	{"a subscription on hold", (*env).subscriptionOnHold,
		[]result{isConflict, isConflict, takesEffect, changesNothing, changesNothing, isConflict}},
	{"an overdue subscription", (*env).overdueSubscription,
		[]result{isConflict, isConflict, isConflict, isConflict, changesNothing, isConflict}},
	{"an unpaid subscription", (*env).unpaidSubscription,
		[]result{isConflict, isConflict, isConflict, "", "", isConflict}},
	{"a canceled subscription", inState((*env).paidSubscription, (*env).cancelSubscription),
		[]result{isConflict, isConflict, isConflict, isConflict, "", isConflict}},
	{"a trial", (*env).trial,
		[]result{takesEffect, takesEffect, takesEffect, changesNothing, changesNothing, takesEffect}},
	{"a trial with a pending change", inState((*env).trial, (*env).startPendingChange),
		[]result{isConflict, isConflict, isConflict, changesNothing, changesNothing, isConflict}},
	{"a trial with a scheduled change", inState((*env).trial, (*env).scheduleMonthlyChange),
		[]result{takesEffect, takesEffect, isConflict, changesNothing, takesEffect, isConflict}},
	{"an ending trial", inState((*env).trial, (*env).mustScheduleEnd),
		[]result{isConflict, isConflict, changesNothing, takesEffect, changesNothing, isConflict}},
	{"a canceled trial", inState((*env).trial, (*env).cancelSubscription),
		[]result{isConflict, isConflict, isConflict, isConflict, "", isConflict}},
}

// inState returns a function that brings a new subscription into a state.
func inState(
	subscribe func(*env) billing.Subscription, change func(*env, billing.Subscription) billing.Subscription,
) func(*env) billing.Subscription {
	return func(t *env) billing.Subscription { return change(t, subscribe(t)) }
}

func (t *env) paidSubscription() billing.Subscription {
	t.Helper()
	return t.subscribe(t.payingCustomer().ID, 0)
}

func (t *env) trial() billing.Subscription {
	t.Helper()
	return t.subscribe(t.payingCustomer().ID, trialDays)
}

func (t *env) cancelSubscription(s billing.Subscription) billing.Subscription {
	t.Helper()
	return t.cancel(s.ID)
}

func newCombinationBehaviours() []behaviour {
	var behaviours []behaviour
	for _, c := range combinations {
		for i, r := range stateRequests {
			want := c.results[i]
			if want == "" {
				continue
			}
			behaviours = append(behaviours, behaviour{name: c.state + ": " + r.name + " " + string(want), check: func(t *env) {
				t.skipWithout(r.needs)
				s := c.prepare(t)
				updatedSub, err := r.send(t, s)
				t.assertResult(want, s, updatedSub, err)
			}})
		}
	}
	return behaviours
}

// sendQuotedChange sends the change and completes its payment. It asserts that the quote of the change returns the same
// error.
func (t *env) sendQuotedChange(req payment.PriceChange) (billing.Subscription, error) {
	t.Helper()
	if !t.Provider.Capabilities().Has(payment.Quoting) {
		return t.sendChange(req)
	}
	_, quoteErr := t.Provider.QuoteChange(t.Context(), req)
	changedSub, err := t.sendChange(req)
	assert.Equal(t, fault.CodeOf(err), fault.CodeOf(quoteErr), "the quote")
	return changedSub, err
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
		t.assertReadsAs(updatedSub, originalSub)
	case takesEffect:
		assert.NoError(t, err)
		assert.NotEqual(t, originalSub, updatedSub)
	}
	t.assertReadsAs(updatedSub, t.readSubscription(originalSub.ID, updatedSub.Status))
	assert.LessOrEqual(t, countPlannedChanges(updatedSub), 1)
}

// startPendingChange starts a change to the professional plan with a card that is declined. It then saves a new
// default card that pays.
func (t *env) startPendingChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	t.saveMethod(s.CustomerID, DeclinedWhenCharged)
	s, err := t.changePlan(s, professional)
	assert.NoError(t, err)
	assert.NotNil(t, s.Pending)
	t.saveMethod(s.CustomerID, Pays)
	return s
}

// scheduleMonthlyChange schedules a change to the monthly price of the standard plan.
func (t *env) scheduleMonthlyChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	return t.mustScheduleChange(s, standardMonthly)
}
