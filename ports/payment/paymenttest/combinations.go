package paymenttest

import (
	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// combinationBehaviours has a behaviour for each state of a subscription and each request: a subscription
// never has two of a pending change, a scheduled change and an end.
var combinationBehaviours = newCombinations()

// result is the effect of a request on a subscription.
type result string

const (
	acts      result = "acts"
	unchanged result = "changes nothing"
	conflicts result = "is Conflict"
)

// requests are the requests that are combined with the states.
var requests = []struct {
	name  string
	needs []payment.Capability
	send  func(t *env, s billing.Subscription) (billing.Subscription, error)
}{
	{"a change now", []payment.Capability{payment.ChangeNow}, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.changePlan(s, professional)
	}},
	{"a change at renewal", []payment.Capability{payment.ChangeAtRenewal}, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.Provider.ChangePlan(t.Context(), changeAtRenewal(s, price("professional", catalogue.Monthly)))
	}},
	{"an end", []payment.Capability{payment.EndAtPeriodEnd}, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.setEnd(s, true)
	}},
	{"a resumption", []payment.Capability{payment.EndAtPeriodEnd}, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.setEnd(s, false)
	}},
	{"a cancellation of the schedule", []payment.Capability{payment.ChangeAtRenewal},
		func(t *env, s billing.Subscription) (billing.Subscription, error) {
			req := payment.ScheduleCancellation{Key: newKey(), SubscriptionID: s.ID}
			return t.Provider.CancelScheduledChange(t.Context(), req)
		}},
	{"an extension of the trial", []payment.Capability{payment.Trials}, func(t *env, s billing.Subscription) (billing.Subscription, error) {
		return t.extendTrial(s, s.TrialEnd.Add(day))
	}},
}

// combinations has the result of each of the requests in each state.
var combinations = []struct {
	state   string
	trial   bool
	prepare func(*env, billing.Subscription) billing.Subscription
	results []result
}{
	{"a subscription", false, func(_ *env, s billing.Subscription) billing.Subscription { return s },
		[]result{acts, acts, acts, unchanged, unchanged, conflicts}},
	{"a subscription with a pending change", false, (*env).withPendingChange,
		[]result{conflicts, conflicts, conflicts, unchanged, unchanged, conflicts}},
	{"a subscription with a scheduled change", false, (*env).withScheduledChange,
		[]result{acts, acts, conflicts, unchanged, acts, conflicts}},
	{"an ending subscription", false, (*env).mustEnd,
		[]result{conflicts, conflicts, unchanged, acts, unchanged, conflicts}},
	{"a trial", true, func(_ *env, s billing.Subscription) billing.Subscription { return s },
		[]result{acts, acts, acts, unchanged, unchanged, acts}},
	{"a trial with a pending change", true, (*env).withPendingChange,
		[]result{conflicts, conflicts, conflicts, unchanged, unchanged, conflicts}},
	{"a trial with a scheduled change", true, (*env).withScheduledChange,
		[]result{acts, acts, conflicts, unchanged, acts, conflicts}},
	{"an ending trial", true, (*env).mustEnd,
		[]result{conflicts, conflicts, unchanged, acts, unchanged, conflicts}},
}

func newCombinations() []behaviour {
	var all []behaviour
	for _, c := range combinations {
		for i, r := range requests {
			want := c.results[i]
			all = append(all, behaviour{name: r.name + " of " + c.state + " " + string(want), check: func(t *env) {
				t.require(r.needs...)
				days := 0
				if c.trial {
					days = trialDays
				}
				s := c.prepare(t, t.subscribe(t.payingCustomer().ID, days))
				after, err := r.send(t, s)
				t.assertResult(want, s, after, err)
			}})
		}
	}
	return all
}

// assertResult asserts that the response to a request shows the result, and that the subscription has at
// most one of a pending change, a scheduled change and an end.
func (t *env) assertResult(want result, before, after billing.Subscription, err error) {
	t.Helper()
	switch want {
	case conflicts:
		t.assertFault(err, fault.Conflict)
		after = before
	case unchanged:
		assert.NoError(t, err)
		assert.Equal(t, before, after)
	case acts:
		assert.NoError(t, err)
		assert.NotEqual(t, before, after)
	}
	assert.Equal(t, after, t.readSubscription(before.ID, after.Status))
	assert.LessOrEqual(t, plans(after), 1)
}

// withPendingChange returns the subscription with a declined change to the professional plan and a new
// default card that pays.
func (t *env) withPendingChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	t.require(payment.PendingChanges)
	t.saveCard(s.CustomerID, DeclinedWhenCharged)
	s, err := t.changePlan(s, professional)
	assert.NoError(t, err)
	assert.NotNil(t, s.Pending)
	t.saveCard(s.CustomerID, Pays)
	return s
}

// withScheduledChange returns the subscription with a change to the monthly price of its plan at the
// renewal.
func (t *env) withScheduledChange(s billing.Subscription) billing.Subscription {
	t.Helper()
	return t.mustScheduleChange(s, price("standard", catalogue.Monthly))
}
