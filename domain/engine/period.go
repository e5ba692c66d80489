package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
)

// PeriodEnd returns the end of the period that begins at start. Every period ends whole intervals after the anchor. An
// unknown interval counts as a month.
func PeriodEnd(anchor, start time.Time, interval catalogue.Interval) time.Time {
	if interval.Months() == 0 {
		interval = catalogue.Monthly
	}
	elapsedMonths := (start.Year()-anchor.Year())*12 + int(start.Month()) - int(anchor.Month())
	n := max(elapsedMonths/interval.Months(), 0)
	for !interval.AddTo(anchor, n).After(start) {
		n++
	}
	return interval.AddTo(anchor, n)
}

// Prorate returns the part of a non-negative amount for the rest of a period after now, rounded half
// up.
func Prorate(amount int64, now, start, end time.Time) int64 {
	period, rest := int64(end.Sub(start)/time.Second), int64(end.Sub(now)/time.Second)
	if period <= 0 || rest <= 0 {
		return 0
	}
	rest = min(rest, period)
	// Multiplying the quotient and the remainder separately keeps the products within an int64 for any amount.
	return amount/period*rest + (amount%period*rest*2+period)/(period*2)
}
