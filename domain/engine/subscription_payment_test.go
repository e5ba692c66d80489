package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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
		"retry":          activeSubscription().PaymentFailed(start).RecordRetry(start.Add(3 * day)),
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
			activeSubscription().PaymentFailed(start).RecordRetry(start),
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
	} {
		t.Run(name, func(t *testing.T) {
			step, at := tt.subscription.PaymentAccepted().PaymentFailed(failedAt).NextStep()
			assert.Equal(t, tt.step, step)
			assert.Equal(t, tt.at, at)
		})
	}
}

func TestRetriesExhausted_IsTrueOnlyAfterLastRetryFailed(t *testing.T) {
	s := activeSubscription().PaymentFailed(start).RecordRetry(start).RecordRetry(start).RecordRetry(start).PaymentAccepted()
	assert.False(t, s.RetriesExhausted(), "the payment is processing")
	assert.True(t, s.PaymentFailed(start.Add(3*day)).RetriesExhausted())
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
	s := activeSubscription().PaymentFailed(start)
	assert.Equal(t, billing.PastDue, s.Status)
	assert.Equal(t, s, s.PaymentFailed(start.Add(day)), "the retry keeps its time")

	incompleteSub := engine.StartSubscription(monthly, 3900, 0, start)
	assert.Equal(t, incompleteSub, incompleteSub.PaymentFailed(start))
	pendingSub := activeSubscription().SetPendingChange(engine.PriceChange{Price: yearly}, "in_2", start)
	assert.Equal(t, pendingSub, pendingSub.PaymentFailed(start), "the payment of the change has failed")
}

func TestUnpaidEndsAt_IsTimeOfLastRetry(t *testing.T) {
	assert.Zero(t, activeSubscription().UnpaidEndsAt())
	s := activeSubscription().PaymentFailed(start)
	for range 2 {
		assert.Equal(t, start.Add(15*day), s.UnpaidEndsAt())
		s = s.RecordRetry(s.RetryAt)
	}
}

func TestPaymentSucceeded_RestoresSubscriptionUnlessCanceled(t *testing.T) {
	paidAt := start.AddDate(0, 5, 10)
	canceledSub := activeSubscription().End(billing.Canceled)
	assert.Equal(t, canceledSub, canceledSub.PaymentSucceeded("in_1", paidAt))

	assert.Equal(t, activeSubscription(), activeSubscription().PaymentFailed(start).PaymentSucceeded("in_1", start.Add(day)),
		"past due")

	paidSub := activeSubscription().PaymentFailed(start).End(billing.Unpaid).PaymentSucceeded("in_1", paidAt)
	assert.Equal(t, billing.Active, paidSub.Status)
	assert.Equal(t, paidAt, paidSub.PeriodStart)
	assert.Equal(t, start.AddDate(0, 6, 0), paidSub.PeriodEnd)

	change := engine.PriceChange{Price: yearly, Amount: 42000, At: start.Add(day)}
	pendingSub := activeSubscription().SetPendingChange(change, "in_2", start.Add(day))
	assert.Equal(t, yearly, pendingSub.PaymentSucceeded("in_2", paidAt).Price)
	assert.Equal(t, monthly, pendingSub.PaymentSucceeded("in_1", paidAt).Price, "another invoice")
}
