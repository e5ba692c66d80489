package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func TestCheckChange_ReturnsReasonOfRefusal(t *testing.T) {
	change := engine.PriceChange{Price: yearly, Amount: 42000, At: start.Add(day)}
	assert.NoError(t, activeSubscription().CheckChange(change, false))
	usdChange := change
	usdChange.Price.Currency = "USD"
	changeBeforePeriod := change
	changeBeforePeriod.At = start.Add(-time.Second)
	changeAfterPeriod := change
	changeAfterPeriod.At = start.AddDate(0, 1, 1)
	for name, tt := range map[string]struct {
		subscription   engine.Subscription
		change         engine.PriceChange
		hasOpenInvoice bool
		want           fault.Code
	}{
		"not running":            {engine.StartSubscription(monthly, 3900, 0, start), change, true, fault.Conflict},
		"another currency":       {activeSubscription(), usdChange, false, fault.Invalid},
		"another change":         {activeSubscription().SetPendingChange(change, "in_2", start), change, true, fault.Conflict},
		"past due":               {activeSubscription().PaymentFailed(start, 0), change, false, fault.Conflict},
		"open invoice":           {activeSubscription(), change, true, fault.Conflict},
		"ending":                 {activeSubscription().SetEndAtPeriodEnd(true), change, false, fault.Conflict},
		"date before the period": {activeSubscription(), changeBeforePeriod, false, fault.Invalid},
		"date after the period":  {activeSubscription(), changeAfterPeriod, false, fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.CodeOf(tt.subscription.CheckChange(tt.change, tt.hasOpenInvoice)))
		})
	}
}

func TestChangeLines_CreditUnusedTimeExceptInTrial(t *testing.T) {
	professional := catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}
	changedAt := time.Date(2026, 10, 12, 12, 0, 0, 0, time.UTC) // 140 of 365 days are left
	yearlySub := engine.StartSubscription(yearly, 42000, 0, start).PaymentSucceeded("in_1", start)
	trial := engine.StartSubscription(yearly, 42000, 7*day, start)

	upgrade := engine.PriceChange{Price: professional, Amount: 81600, At: changedAt}
	assert.Equal(t, []engine.Line{
		{Price: yearly, Amount: -16110, Start: changedAt, End: yearlySub.PeriodEnd, Proration: true, Unused: true},
		{Price: professional, Amount: 31299, Start: changedAt, End: yearlySub.PeriodEnd, Proration: true},
	}, yearlySub.ChangeLines(upgrade))

	toMonthly := engine.PriceChange{Price: monthly, Amount: 3900, At: changedAt}
	assert.Equal(t, []engine.Line{
		{Price: yearly, Amount: -16110, Start: changedAt, End: yearlySub.PeriodEnd, Proration: true, Unused: true},
		{Price: monthly, Amount: 3900, Start: changedAt, End: changedAt.AddDate(0, 1, 0)},
	}, yearlySub.ChangeLines(toMonthly), "another interval starts a new period")

	endOfTrial := engine.PriceChange{Price: professional, Amount: 81600, At: start.Add(day), EndTrial: true}
	assert.Equal(t, []engine.Line{
		{Price: professional, Amount: 81600, Start: endOfTrial.At, End: endOfTrial.At.AddDate(1, 0, 0)},
	}, trial.ChangeLines(endOfTrial), "nothing was paid in the trial")
}

func TestApplyChange_StartsNewPeriodForAnotherIntervalAndAfterTrial(t *testing.T) {
	at := start.Add(day)
	sameIntervalSub := activeSubscription().ApplyChange(engine.PriceChange{Price: professionalMonthly, Amount: 7600, At: at})
	assert.Equal(t, start, sameIntervalSub.PeriodStart)
	assert.EqualValues(t, 7600, sameIntervalSub.Amount)

	otherIntervalSub := activeSubscription().ApplyChange(engine.PriceChange{Price: yearly, Amount: 42000, At: at})
	assert.Equal(t, at, otherIntervalSub.PeriodStart)
	assert.Equal(t, at.AddDate(1, 0, 0), otherIntervalSub.PeriodEnd)

	trial := engine.StartSubscription(monthly, 3900, 7*day,
		start).ApplyChange(engine.PriceChange{Price: monthly, Amount: 3900, At: at, EndTrial: true})
	assert.Equal(t, billing.Active, trial.Status)
	assert.Equal(t, at, trial.TrialEnd)
	assert.Equal(t, at.AddDate(0, 1, 0), trial.PeriodEnd)
}

func TestScheduleChange_IsKeptUntilAnotherChangeIsMade(t *testing.T) {
	scheduledSub := activeSubscription().ScheduleChange(engine.PriceChange{Price: yearly, Amount: 42000})
	professional := catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
	change := engine.PriceChange{Price: professional, Amount: 7600, At: start.Add(day)}
	assert.NoError(t, scheduledSub.CheckChange(change, false))

	assert.False(t, scheduledSub.ApplyChange(change).HasScheduledChange())
	pendingSub := scheduledSub.SetPendingChange(change, "in_2", change.At)
	assert.False(t, pendingSub.PaymentSucceeded("in_2", change.At).HasScheduledChange())
	assert.Equal(t, scheduledSub, pendingSub.CancelPendingChange())

	expiringSub := scheduledSub.SetPendingChange(change, "in_2", scheduledSub.PeriodEnd.Add(-time.Hour))
	step, at := expiringSub.NextStep()
	assert.Equal(t, engine.StepCancelPendingChange, step)
	assert.Equal(t, scheduledSub.PeriodEnd, at)
	assert.Equal(t, yearly, expiringSub.CancelPendingChange().Renew().Price,
		"the scheduled change is made when the pending one expires with the period")
}

func TestCheckSchedule_RefusesPendingEndingAndPastDueSubscriptions(t *testing.T) {
	change := engine.PriceChange{Price: yearly, Amount: 42000}
	assert.NoError(t, activeSubscription().ScheduleChange(change).CheckSchedule(change, false), "replaces the scheduled change")
	for name, s := range map[string]engine.Subscription{
		"pending":  activeSubscription().SetPendingChange(change, "in_2", start),
		"ending":   activeSubscription().SetEndAtPeriodEnd(true),
		"past due": activeSubscription().PaymentFailed(start, 0),
	} {
		assert.Equal(t, fault.Conflict, fault.CodeOf(s.CheckSchedule(change, false)), name)
	}
}

func TestScheduleChange_IsMadeByRenew(t *testing.T) {
	change := engine.PriceChange{Price: yearly, Amount: 42000}

	renewedSub := activeSubscription().ScheduleChange(change).Renew()

	assert.Equal(t, yearly, renewedSub.Price)
	assert.False(t, renewedSub.HasScheduledChange())
	assert.Equal(t, start.AddDate(1, 1, 0), renewedSub.PeriodEnd)
	assert.EqualValues(t, 42000, engine.Total(renewedSub.PeriodLines()))
	assert.Equal(t, activeSubscription().Renew(), activeSubscription().ScheduleChange(change).CancelScheduledChange().Renew())
}

func TestScheduleChange_AnotherIntervalMovesAnchor(t *testing.T) {
	monthEnd := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	s := engine.StartSubscription(monthly, 3900, 0, monthEnd).PaymentSucceeded("in_1", monthEnd)

	sameIntervalSub := s.ScheduleChange(engine.PriceChange{Price: monthly, Amount: 7600}).Renew()
	otherIntervalSub := s.ScheduleChange(engine.PriceChange{Price: yearly, Amount: 42000}).Renew()

	assert.Equal(t, time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC), sameIntervalSub.PeriodEnd)
	assert.Equal(t, time.Date(2027, 2, 28, 12, 0, 0, 0, time.UTC), otherIntervalSub.PeriodEnd)
	assert.Equal(t, otherIntervalSub.PeriodStart, otherIntervalSub.Anchor)
}
