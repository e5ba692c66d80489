package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

const day = 24 * time.Hour

var (
	monthly = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	yearly  = catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}
	start   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func activeSubscription() engine.Subscription {
	return engine.StartSubscription(monthly, 3900, 0, start).PaymentSucceeded("in_1", start)
}

func TestStartSubscription_IsTrialingWithTrialElseIncomplete(t *testing.T) {
	newSub := engine.StartSubscription(monthly, 3900, 0, start)
	assert.Equal(t, billing.Incomplete, newSub.Status)
	assert.Equal(t, start.AddDate(0, 1, 0), newSub.PeriodEnd)
	assert.EqualValues(t, 3900, engine.Total(newSub.PeriodLines()))

	trial := engine.StartSubscription(monthly, 3900, 7*day, start)
	assert.Equal(t, billing.Trialing, trial.Status)
	assert.Equal(t, start.Add(7*day), trial.PeriodEnd)
	assert.Zero(t, engine.Total(trial.PeriodLines()))

	renewedSub := trial.Renew()
	assert.Equal(t, billing.Active, renewedSub.Status)
	assert.Equal(t, start.Add(7*day), renewedSub.PeriodStart)
	assert.Equal(t, start.Add(7*day).AddDate(0, 1, 0), renewedSub.PeriodEnd)
	assert.EqualValues(t, 3900, engine.Total(renewedSub.PeriodLines()))
}

func TestNextStep_FollowsStatus(t *testing.T) {
	pastDueSub := activeSubscription().PaymentFailed(start, 0)
	exhaustedSub := pastDueSub.RecordRetry(start).RecordRetry(start)
	assert.False(t, exhaustedSub.IsUnpaidEndDue(start.Add(15*day)))
	exhaustedSub = exhaustedSub.RecordRetry(start)
	assert.True(t, exhaustedSub.IsUnpaidEndDue(start.Add(15*day)))
	for name, tt := range map[string]struct {
		subscription engine.Subscription
		step         engine.Step
		at           time.Time
	}{
		"incomplete": {engine.StartSubscription(monthly, 1, 0, start), engine.StepExpire, start.Add(23 * time.Hour)},
		"trialing":   {engine.StartSubscription(monthly, 1, 7*day, start), engine.StepRenew, start.Add(7 * day)},
		"active":     {activeSubscription(), engine.StepRenew, start.AddDate(0, 1, 0)},
		"pending change": {
			activeSubscription().SetPendingChange(engine.PriceChange{}, "in_2", start),
			engine.StepCancelPendingChange,
			start.Add(23 * time.Hour),
		},
		"pending until the period ends": {
			activeSubscription().SetPendingChange(engine.PriceChange{}, "in_2", start.AddDate(0, 1, 0).Add(-time.Hour)),
			engine.StepCancelPendingChange, start.AddDate(0, 1, 0),
		},
		"past due": {pastDueSub, engine.StepRetry, start.Add(3 * day)},
		"ending":   {activeSubscription().SetEndAtPeriodEnd(true), engine.StepEnd, start.AddDate(0, 1, 0)},
		"resumed": {
			activeSubscription().SetEndAtPeriodEnd(true).SetEndAtPeriodEnd(false), engine.StepRenew, start.AddDate(0, 1, 0),
		},
		"last retry": {exhaustedSub, engine.StepEndUnpaid, start.Add(15 * day)},
		"canceled":   {activeSubscription().End(billing.Canceled), engine.StepNone, time.Time{}},
		"unpaid":     {pastDueSub.End(billing.Unpaid), engine.StepNone, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			step, at := tt.subscription.NextStep()
			assert.Equal(t, tt.step, step)
			assert.Equal(t, tt.at, at)
		})
	}
}

func TestCheckEndAtPeriodEnd_RefusesWithChangeOrOverduePayment(t *testing.T) {
	pendingSub := activeSubscription().SetPendingChange(engine.PriceChange{Price: yearly}, "in_2", start)
	scheduledSub := activeSubscription().ScheduleChange(engine.PriceChange{Price: yearly})
	for name, s := range map[string]engine.Subscription{
		"pending": pendingSub, "scheduled": scheduledSub, "past due": activeSubscription().PaymentFailed(start, 0),
		"incomplete": engine.StartSubscription(monthly, 3900, 0, start), "ended": activeSubscription().End(billing.Canceled),
	} {
		assert.Equal(t, fault.Conflict, fault.CodeOf(s.CheckEndAtPeriodEnd(true)), name)
	}
	assert.NoError(t, scheduledSub.CheckEndAtPeriodEnd(false), "changes nothing")
	assert.NoError(t, activeSubscription().SetEndAtPeriodEnd(true).CheckEndAtPeriodEnd(true), "changes nothing")
}

// TestSubscription_RandomHistoryKeepsInvariants performs random operations. It checks that no step is overdue,
// that the period has a positive length, and that a change credits at most the price of one period.
func TestSubscription_RandomHistoryKeepsInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := start.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "start")) * day)
		trial := time.Duration(rapid.SampledFrom([]int{0, 7}).Draw(t, "trial")) * day
		s := engine.StartSubscription(drawPrice(t), 3900, trial, now)
		hasOpenInvoice := engine.Total(s.PeriodLines()) > 0
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				assertInvariants(t, s, now)
			},
			"time": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(1, 1000).Draw(t, "hours")) * time.Hour)
				for step, at := s.NextStep(); step != engine.StepNone && !at.After(now); step, at = s.NextStep() {
					s, hasOpenInvoice = performStep(t, s, hasOpenInvoice, at)
				}
			},
			"pay": func(*rapid.T) {
				if hasOpenInvoice {
					s, hasOpenInvoice = s.PaymentSucceeded("in_1", now), false
				}
			},
			"fail": func(*rapid.T) {
				if hasOpenInvoice {
					s = s.PaymentFailed(now, 0)
				}
			},
			"change": func(t *rapid.T) {
				change := engine.PriceChange{Price: drawPrice(t), Amount: rapid.Int64Range(0, 1<<40).Draw(t, "amount"), At: now,
					EndTrial: s.Status == billing.Trialing}
				if s.CheckChange(change, hasOpenInvoice) != nil {
					return
				}
				total := engine.Total(s.ChangeLines(change))
				assert.LessOrEqual(t, total, change.Amount)
				assert.GreaterOrEqual(t, total, -s.Amount)
				if s, hasOpenInvoice = s.SetPendingChange(change, "in_1", now), true; total <= 0 {
					s, hasOpenInvoice = s.ApplyChange(change), false
				}
			},
			"schedule":      func(t *rapid.T) { s = scheduleIfAllowed(t, s, hasOpenInvoice) },
			"end or resume": func(t *rapid.T) { s = setEndingIfAllowed(t, s) },
			"end":           func(*rapid.T) { s, hasOpenInvoice = s.End(billing.Canceled), false },
		})
	})
}

func assertInvariants(t *rapid.T, s engine.Subscription, now time.Time) {
	assert.True(t, s.PeriodEnd.After(s.PeriodStart))
	step, at := s.NextStep()
	assert.Equal(t, step == engine.StepNone, at.IsZero())
	assert.True(t, at.IsZero() || at.After(now), "nothing is overdue")
	assert.True(t, s.Pending.Invoice == "" || s.Status.Live() && s.Status != billing.PastDue)
	assert.Equal(t, s.Status == billing.PastDue, !s.RetryAt.IsZero())
	assert.False(t, s.EndsAtPeriodEnd && (s.Pending.Invoice != "" || s.HasScheduledChange()),
		"an ending subscription has no pending or scheduled change")
	assert.True(t, s.Status.Live() || !s.HasScheduledChange() && !s.EndsAtPeriodEnd)
}

// performStep performs the step that is due at the time. A renewal is paid or declined at random.
func performStep(t *rapid.T, s engine.Subscription, hasOpenInvoice bool, at time.Time) (engine.Subscription, bool) {
	step, _ := s.NextStep()
	switch step {
	case engine.StepExpire:
		return s.End(billing.IncompleteExpired), false
	case engine.StepEnd:
		return s.End(billing.Canceled), false
	case engine.StepCancelPendingChange:
		return s.CancelPendingChange(), false
	case engine.StepRenew:
		if rapid.Bool().Draw(t, "declined") {
			return s.Renew().PaymentFailed(at, 0), true
		}
		return s.Renew().PaymentSucceeded("in_1", at), false
	}
	s = s.RecordRetry(at)
	if s.IsUnpaidEndDue(at) {
		s = s.End(billing.Unpaid) // its invoice stays open
	}
	return s, hasOpenInvoice
}

func scheduleIfAllowed(t *rapid.T, s engine.Subscription, hasOpenInvoice bool) engine.Subscription {
	change := engine.PriceChange{Price: drawPrice(t), Amount: 3900}
	if s.CheckSchedule(change, hasOpenInvoice) != nil {
		return s
	}
	return s.ScheduleChange(change)
}

func setEndingIfAllowed(t *rapid.T, s engine.Subscription) engine.Subscription {
	end := rapid.Bool().Draw(t, "end")
	if s.CheckEndAtPeriodEnd(end) != nil {
		return s
	}
	return s.SetEndAtPeriodEnd(end)
}

func drawPrice(t *rapid.T) catalogue.PriceRef {
	return rapid.SampledFrom([]catalogue.PriceRef{monthly, yearly}).Draw(t, "price")
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 9, 30, 15, 0, time.UTC)
}

func TestPeriodEnd_KeepsDayOfAnchor(t *testing.T) {
	tests := []struct {
		name     string
		interval catalogue.Interval
		anchor   time.Time
		ends     []time.Time
	}{
		{"an ordinary day", catalogue.Monthly, date(2026, 1, 15), []time.Time{date(2026, 2, 15), date(2026, 3, 15)}},
		{"the 31st", catalogue.Monthly, date(2026, 1, 31), []time.Time{
			date(2026, 2, 28), date(2026, 3, 31), date(2026, 4, 30), date(2026, 5, 31),
		}},
		{"the 30th over a leap day", catalogue.Monthly, date(2027, 12, 30), []time.Time{
			date(2028, 1, 30), date(2028, 2, 29), date(2028, 3, 30),
		}},
		{"over the end of the year", catalogue.Monthly, date(2026, 11, 30),
			[]time.Time{date(2026, 12, 30), date(2027, 1, 30)}},
		{"a year", catalogue.Yearly, date(2026, 3, 1), []time.Time{date(2027, 3, 1), date(2028, 3, 1)}},
		{"a year from a leap day", catalogue.Yearly, date(2028, 2, 29), []time.Time{
			date(2029, 2, 28), date(2030, 2, 28), date(2031, 2, 28), date(2032, 2, 29),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := tt.anchor
			for _, want := range tt.ends {
				end := engine.PeriodEnd(tt.anchor, start, tt.interval)
				assert.Equal(t, want, end)
				start = end
			}
		})
	}
}

func TestPeriodEnd_IsAfterStart(t *testing.T) {
	for name, start := range map[string]time.Time{
		"between two ends": date(2026, 2, 10), "a second before an end": date(2026, 2, 15).Add(-time.Second),
		"before the anchor": date(2026, 1, 1), "years later": date(2040, 7, 31),
	} {
		t.Run(name, func(t *testing.T) {
			end := engine.PeriodEnd(date(2026, 1, 15), start, catalogue.Monthly)
			assert.True(t, end.After(start))
			assert.Equal(t, 15, end.Day())
		})
	}
}

func TestProrate_RoundsHalfUp(t *testing.T) {
	start, end := date(2026, 1, 1), date(2026, 1, 11)
	tests := []struct {
		name   string
		amount int64
		now    time.Time
		want   int64
	}{
		{"whole amount at the start", 1000, start, 1000},
		{"nothing at the end", 1000, end, 0},
		{"nothing afterwards", 1000, end.Add(time.Hour), 0},
		{"whole amount before the start", 1000, start.Add(-time.Hour), 1000},
		{"three tenths", 1000, date(2026, 1, 8), 300},
		{"half is rounded up", 5, date(2026, 1, 10), 1},
		{"less than half is rounded down", 4, date(2026, 1, 10), 0},
		{"large amount", 1 << 60, date(2026, 1, 6), 1 << 59},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, engine.Prorate(tt.amount, tt.now, start, end))
		})
	}
	assert.Zero(t, engine.Prorate(1000, start, start, start), "a period of no length")
}
