package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPaymentAccepted_HasNoStepUntilPaymentSettles(t *testing.T) {
	for name, s := range map[string]engine.Subscription{
		"first payment":  engine.StartSubscription(monthly, 3900, 0, start),
		"renewal":        activeSubscription().Renew(),
		"ending":         activeSubscription().Renew().SetEndAtPeriodEnd(true),
		"pending change": activeSubscription().SetPendingChange(engine.PriceChange{Price: yearly}, "in_2", start),
		"retry":          activeSubscription().PaymentFailed(start, 0).RecordRetry(start.Add(3 * day)),
		"returned":       activeSubscription().PaymentReturned(start),
	} {
		t.Run(name, func(t *testing.T) {
			step, at := s.PaymentAccepted().NextStep()
			assert.Equal(t, engine.StepNone, step)
			assert.Zero(t, at)
			assert.Zero(t, s.PaymentAccepted().UnpaidEndsAt())
			assert.Equal(t, s.PaymentSucceeded("in_2", start), s.PaymentAccepted().PaymentSucceeded("in_2", start),
				"the money arrives")
			assert.Equal(t, fault.Conflict,
				fault.CodeOf(s.PaymentAccepted().CheckChange(engine.PriceChange{Price: yearly, At: start}, false)))
		})
	}
}

func TestPaymentFailed_AfterAcceptanceExtendsTimeToPay(t *testing.T) {
	failedAt := start.Add(3 * day)
	changingSub := activeSubscription().SetPendingChange(engine.PriceChange{Price: yearly}, "in_2", start)
	changingSub.PeriodEnd = failedAt.Add(time.Hour)
	for name, tt := range map[string]struct {
		subscription engine.Subscription
		step         engine.Step
		at           time.Time
	}{
		"first payment can be made again": {
			engine.StartSubscription(monthly, 3900, 0, start),
			engine.StepExpire,
			failedAt.Add(23 * time.Hour),
		},
		"pending change expires with the period": {changingSub, engine.StepCancelPendingChange, changingSub.PeriodEnd},
		"renewal is retried":                     {activeSubscription().Renew(), engine.StepRetry, failedAt.Add(3 * day)},
		"next retry follows the failure": {
			activeSubscription().PaymentFailed(start, 0).RecordRetry(start),
			engine.StepRetry,
			failedAt.Add(5 * day),
		},
		"returned payment keeps its time": {
			activeSubscription().PaymentReturned(start),
			engine.StepEndUnpaid,
			start.Add(15 * day),
		},
		"returned payment can be made again for 23 hours": {
			activeSubscription().PaymentReturned(start.Add(-12 * day)),
			engine.StepEndUnpaid,
			failedAt.Add(23 * time.Hour),
		},
		"returned payment is extended only once": {
			activeSubscription().PaymentReturned(start.Add(-12*day)).PaymentAccepted().PaymentFailed(start.Add(2*day), 3*day),
			engine.StepEndUnpaid,
			failedAt,
		},
	} {
		t.Run(name, func(t *testing.T) {
			step, at := tt.subscription.PaymentAccepted().PaymentFailed(failedAt, 3*day).NextStep()
			assert.Equal(t, tt.step, step)
			assert.Equal(t, tt.at, at)
		})
	}
}

func TestIsUnpaidEndDue_IsTrueOnlyAfterLastRetryFailed(t *testing.T) {
	s := activeSubscription().PaymentFailed(start, 0)
	for range 3 {
		s = s.RecordRetry(s.RetryAt)
	}
	lastRetryAt := start.Add(15 * day)
	assert.True(t, s.IsUnpaidEndDue(lastRetryAt))
	assert.False(t, s.PaymentAccepted().IsUnpaidEndDue(lastRetryAt), "the payment is processing")
	failedAt := lastRetryAt.Add(3 * day)
	s = s.PaymentAccepted().PaymentFailed(failedAt, 3*day)
	assert.Equal(t, failedAt, s.UnpaidEndsAt())
	assert.True(t, s.IsUnpaidEndDue(failedAt))
}

func TestPaymentReturned_MakesPlanPastDueForFifteenDays(t *testing.T) {
	s := activeSubscription().PaymentReturned(start)
	assert.Equal(t, billing.PastDue, s.Status)
	assert.Equal(t, start.Add(15*day), s.UnpaidEndsAt())
	assert.Equal(t, activeSubscription(), s.PaymentSucceeded("in_1", start))

	endingSub := activeSubscription().SetEndAtPeriodEnd(true).PaymentReturned(start.Add(28 * day))
	step, at := endingSub.NextStep()
	assert.Equal(t, engine.StepEndUnpaid, step)
	assert.Equal(t, endingSub.PeriodEnd, at, "an ending subscription ends with its period")
}

func TestPaymentFailed_MakesOnlyActiveSubscriptionsPastDue(t *testing.T) {
	s := activeSubscription().PaymentFailed(start, 0)
	assert.Equal(t, billing.PastDue, s.Status)
	assert.Equal(t, s, s.PaymentFailed(start.Add(day), 0), "the retry keeps its time")

	incompleteSub := engine.StartSubscription(monthly, 3900, 0, start)
	assert.Equal(t, incompleteSub, incompleteSub.PaymentFailed(start, 0))
	pendingSub := activeSubscription().SetPendingChange(engine.PriceChange{Price: yearly}, "in_2", start)
	assert.Equal(t, pendingSub, pendingSub.PaymentFailed(start, 0), "the payment of the change has failed")
}

func TestUnpaidEndsAt_IsTimeOfLastRetry(t *testing.T) {
	assert.Zero(t, activeSubscription().UnpaidEndsAt())
	s := activeSubscription().PaymentFailed(start, 0)
	for range 3 {
		assert.Equal(t, start.Add(15*day), s.UnpaidEndsAt())
		s = s.RecordRetry(s.RetryAt)
	}
	assert.Equal(t, start.Add(15*day), s.UnpaidEndsAt())
}

// attempt is an attempt to collect the overdue invoice. It fails some days after it was made.
type attempt struct {
	day        int // when the customer makes it, in days after start; 0 for an automatic retry
	failsAfter int // days; 0 for a payment that fails immediately
}

func TestUnpaidEndsAt_AllowsForTheProcessingOfRetries(t *testing.T) {
	const longestProcessing = 3 * day
	for name, tt := range map[string]struct {
		first    attempt
		attempts []attempt
		ends     []int // the announced end after each failure, in days after start
	}{
		"cards":                             {attempt{}, []attempt{{}, {}, {}}, []int{15, 15, 15, 15}},
		"debits":                            {attempt{failsAfter: 3}, []attempt{{failsAfter: 3}, {failsAfter: 3}, {failsAfter: 3}}, []int{27, 27, 27, 27}},
		"debits that fail early":            {attempt{failsAfter: 1}, []attempt{{failsAfter: 1}, {failsAfter: 1}, {failsAfter: 1}}, []int{25, 25, 25, 25}},
		"a debit, then a card":              {attempt{failsAfter: 3}, []attempt{{failsAfter: 3}, {}, {}}, []int{27, 27, 27, 27}},
		"a card, then debits: later once":   {attempt{}, []attempt{{failsAfter: 3}, {failsAfter: 3}, {failsAfter: 3}}, []int{15, 24, 24, 24}},
		"the customer makes further debits": {attempt{failsAfter: 3}, []attempt{{4, 3}, {8, 3}, {failsAfter: 3}}, []int{27, 27, 27, 27}},
	} {
		t.Run(name, func(t *testing.T) {
			fail := func(s engine.Subscription, at time.Time, a attempt) engine.Subscription {
				if a.failsAfter == 0 {
					return s.PaymentFailed(at, 0)
				}
				return s.PaymentAccepted().PaymentFailed(at.Add(time.Duration(a.failsAfter)*day), longestProcessing)
			}
			s := fail(activeSubscription().Renew(), start, tt.first)
			ends := []int{daysAfterStart(s.UnpaidEndsAt())}
			for _, a := range tt.attempts {
				at := start.Add(time.Duration(a.day) * day)
				if a.day == 0 {
					step, retryAt := s.NextStep()
					require.Equal(t, engine.StepRetry, step)
					s, at = s.RecordRetry(retryAt), retryAt
				}
				s = fail(s, at, a)
				ends = append(ends, daysAfterStart(s.UnpaidEndsAt()))
			}
			assert.Equal(t, tt.ends, ends)
		})
	}
}

func daysAfterStart(t time.Time) int { return int(t.Sub(start) / day) }

func TestPaymentFailed_MakesNoRetryThatWouldFailAfterTheAnnouncedEnd(t *testing.T) {
	s := activeSubscription().PaymentFailed(start, 3*day)
	end := s.UnpaidEndsAt()
	assert.Equal(t, start.Add(24*day), end)
	s = s.PaymentAccepted().PaymentFailed(start.Add(18*day), 3*day) // the customer made a payment, which has failed
	step, _ := s.NextStep()
	assert.Equal(t, engine.StepRetry, step)
	s = s.PaymentAccepted().PaymentFailed(start.Add(19*day), 3*day)
	step, at := s.NextStep()
	assert.Equal(t, engine.StepEndUnpaid, step)
	assert.Equal(t, end, at)
	s = s.PaymentAccepted().PaymentFailed(start.Add(26*day), 3*day)
	assert.True(t, s.IsUnpaidEndDue(start.Add(26*day)), "a payment that fails after the end ends the subscription")
}

func TestPaymentSucceeded_RestoresSubscriptionUnlessCanceled(t *testing.T) {
	paidAt := start.AddDate(0, 5, 10)
	canceledSub := activeSubscription().End(billing.Canceled)
	assert.Equal(t, canceledSub, canceledSub.PaymentSucceeded("in_1", paidAt))

	assert.Equal(t, activeSubscription(), activeSubscription().PaymentFailed(start, 0).PaymentSucceeded("in_1", start.Add(day)),
		"past due")

	paidSub := activeSubscription().PaymentFailed(start, 0).End(billing.Unpaid).PaymentSucceeded("in_1", paidAt)
	assert.Equal(t, billing.Active, paidSub.Status)
	assert.Equal(t, paidAt, paidSub.PeriodStart)
	assert.Equal(t, start.AddDate(0, 6, 0), paidSub.PeriodEnd)

	change := engine.PriceChange{Price: yearly, Amount: 42000, At: start.Add(day)}
	pendingSub := activeSubscription().SetPendingChange(change, "in_2", start.Add(day))
	assert.Equal(t, yearly, pendingSub.PaymentSucceeded("in_2", paidAt).Price)
	assert.Equal(t, monthly, pendingSub.PaymentSucceeded("in_1", paidAt).Price, "another invoice")
}
