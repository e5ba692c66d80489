package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func TestAccepted_SubscriptionStaysUnchangedUntilThePaymentSettles(t *testing.T) {
	for name, s := range map[string]engine.Subscription{
		"first payment":  engine.Start(monthly, 3900, 0, start),
		"renewal":        active().Renew(),
		"ending":         active().Renew().SetEnding(true),
		"pending change": active().Await(engine.PriceChange{Price: yearly}, "in_2", start),
		"retry":          active().PaymentFailed(start).Retry(start.Add(3 * day)),
		"returned":       active().PaymentReturned(start),
	} {
		t.Run(name, func(t *testing.T) {
			step, at := s.Accepted().NextStep()
			assert.Equal(t, engine.StepNone, step)
			assert.Zero(t, at)
			assert.Zero(t, s.Accepted().PlanEndsAt())
			assert.Equal(t, s.Paid("in_2", start), s.Accepted().Paid("in_2", start), "the money arrives")
			assert.Equal(t, fault.Conflict, fault.CodeOf(s.Accepted().CheckChange(engine.PriceChange{Price: yearly, At: start}, false)))
		})
	}
}

func TestPaymentFailed_AfterItWasAccepted(t *testing.T) {
	failedAt := start.Add(3 * day)
	change := active().Await(engine.PriceChange{Price: yearly}, "in_2", start)
	change.PeriodEnd = failedAt.Add(time.Hour)
	for name, tt := range map[string]struct {
		subscription engine.Subscription
		step         engine.Step
		at           time.Time
	}{
		"first payment can be made again": {engine.Start(monthly, 3900, 0, start), engine.StepExpire, failedAt.Add(23 * time.Hour)},
		"change until the period ends":    {change, engine.StepDropChange, change.PeriodEnd},
		"renewal is retried":              {active().Renew(), engine.StepRetry, failedAt.Add(3 * day)},
		"next retry follows the failure":  {active().PaymentFailed(start).Retry(start), engine.StepRetry, failedAt.Add(5 * day)},
		"returned payment keeps its time": {active().PaymentReturned(start), engine.StepGiveUp, start.Add(15 * day)},
		"returned payment, at least 23 h": {active().PaymentReturned(start.Add(-12 * day)), engine.StepGiveUp, failedAt.Add(23 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			step, at := tt.subscription.Accepted().PaymentFailed(failedAt).NextStep()
			assert.Equal(t, tt.step, step)
			assert.Equal(t, tt.at, at)
		})
	}
}

func TestPaymentFailed_LastRetryGivesUpWhenItsPaymentFails(t *testing.T) {
	s := active().PaymentFailed(start).Retry(start).Retry(start).Retry(start).Accepted()
	assert.False(t, s.GivesUp(), "the payment is on its way")
	assert.True(t, s.PaymentFailed(start.Add(3*day)).GivesUp())
}

func TestPaymentReturned(t *testing.T) {
	s := active().PaymentReturned(start)
	assert.Equal(t, billing.PastDue, s.Status)
	assert.Equal(t, start.Add(15*day), s.PlanEndsAt())
	assert.Equal(t, active(), s.Paid("in_1", start))

	ending := active().SetEnding(true).PaymentReturned(start.Add(28 * day))
	step, at := ending.NextStep()
	assert.Equal(t, engine.StepGiveUp, step)
	assert.Equal(t, ending.PeriodEnd, at, "it does not outlive its end")
}
