package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// yearOfStandard is a subscription whose year of 365 days began at start, and its paid invoice.
var yearOfStandard = engine.Subscription{
	Status: billing.Active, Price: yearly, Amount: 42000, Anchor: start, PeriodStart: start, PeriodEnd: start.Add(365 * day),
}

// deduct returns the amount that a change at the time deducts because of the returned payment of the year, and the
// deductions.
func deduct(refund, dispute engine.ReturnedPayment, at time.Time) (amount, unused int64, deductions []engine.Deduction) {
	change := engine.PriceChange{Price: yearly, Amount: 81600, At: at}
	payments := []engine.PeriodPayment{
		{Invoice: "in_1", Lines: yearOfStandard.PeriodLines(), Refund: refund, Dispute: dispute},
	}
	lines, deductions := yearOfStandard.DeductReturned(yearOfStandard.ChangeLines(change), payments, at)
	for _, line := range lines {
		switch {
		case line.Returned:
			amount += line.Amount
		case line.Unused:
			unused -= line.Amount
		}
	}
	return amount, unused, deductions
}

func TestDeductReturned_DeductsTheReturnedPartOfTheUnusedTime(t *testing.T) {
	half := start.Add(365 * day / 2)
	for name, tt := range map[string]struct {
		refund, dispute engine.ReturnedPayment
		at              time.Time
		want            int64
	}{
		"nothing was returned":             {at: start},
		"a full refund":                    {refund: engine.ReturnedPayment{Amount: 42000}, at: start, want: 42000},
		"a full refund, half a year later": {refund: engine.ReturnedPayment{Amount: 42000}, at: half, want: 21000},
		"a refund of a half":               {refund: engine.ReturnedPayment{Amount: 21000}, at: start, want: 21000},
		"a refund of a half, later":        {refund: engine.ReturnedPayment{Amount: 21000}, at: half, want: 10500},
		"a dispute":                        {dispute: engine.ReturnedPayment{Amount: 42000}, at: start, want: 42000},
		"a refund and a dispute": {
			refund: engine.ReturnedPayment{Amount: 2000}, dispute: engine.ReturnedPayment{Amount: 40000}, at: half, want: 21000,
		},
		"a refund that was withdrawn from credit": {refund: engine.ReturnedPayment{Amount: 42000, Withdrawn: 40000}, at: start,
			want: 2000},
		"more than the unused time": {refund: engine.ReturnedPayment{Amount: 50000}, at: start, want: 42000},
		"the end of the period":     {refund: engine.ReturnedPayment{Amount: 42000}, at: start.Add(365 * day)},
	} {
		t.Run(name, func(t *testing.T) {
			amount, _, _ := deduct(tt.refund, tt.dispute, tt.at)
			assert.Equal(t, tt.want, amount)
		})
	}
}

func TestDeduction_FailedRefundBecomesCredit(t *testing.T) {
	_, _, deductions := deduct(engine.ReturnedPayment{Amount: 20000}, engine.ReturnedPayment{}, start.Add(365*day/2))
	require.Len(t, deductions, 1)

	t.Run("before the invoice of the change is paid", func(t *testing.T) {
		failedRefund, _ := engine.ReturnedPayment{Amount: 20000}.SetAmount(0, 0, 0, start)
		refund, _, surplus := deductions[0].Apply(failedRefund, engine.ReturnedPayment{})
		assert.Equal(t, int64(10000), surplus)
		assert.Zero(t, refund.OwedAmount(time.Time{}))
	})
	t.Run("afterwards", func(t *testing.T) {
		refund, _, surplus := deductions[0].Apply(engine.ReturnedPayment{Amount: 20000}, engine.ReturnedPayment{})
		assert.Zero(t, surplus)
		failedRefund, credit := refund.SetAmount(0, 0, 0, start)
		assert.Equal(t, int64(10000), credit)
		assert.Equal(t, engine.ReturnedPayment{At: start}, failedRefund)
	})
}

// TestDeductReturned_UnusedTimeIsWorthAtMostWhatWasPaidAndNotReturned changes the plan at a random time after random
// refunds and disputes.
func TestDeductReturned_UnusedTimeIsWorthAtMostWhatWasPaidAndNotReturned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		refunded := rapid.Int64Range(0, 42000).Draw(t, "refunded")
		disputed := rapid.Int64Range(0, 42000-refunded).Draw(t, "disputed")
		at := start.Add(time.Duration(rapid.IntRange(0, 365*24*3600).Draw(t, "seconds")) * time.Second)
		refund, dispute := engine.ReturnedPayment{Amount: refunded}, engine.ReturnedPayment{Amount: disputed}

		amount, unused, deductions := deduct(refund, dispute, at)

		paidPart := engine.Prorate(42000-refunded-disputed, at, start, yearOfStandard.PeriodEnd)
		require.InDelta(t, paidPart, unused-amount, 1, "the value of the unused time")
		require.True(t, 0 <= amount && amount <= unused, "deducts %d of %d", amount, unused)
		for _, d := range deductions {
			refund, dispute, _ = d.Apply(refund, dispute)
		}
		secondAmount, _, _ := deduct(refund, dispute, at.Add(day))
		require.LessOrEqual(t, secondAmount, int64(2), "nothing is deducted twice") // rounding of tiny amounts
	})
}
