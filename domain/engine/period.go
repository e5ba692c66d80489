package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
)

// intervalMonths returns the number of months of an interval.
func intervalMonths(i catalogue.Interval) int {
	if i == catalogue.Yearly {
		return 12
	}
	return 1
}

// addMonths returns the time n calendar months after the anchor. The day is that of the anchor, or the last day of a
// shorter month. For example, 31 January is followed by 28 February and 31 March.
func addMonths(anchor time.Time, n int) time.Time {
	year, month, day := anchor.Date()
	first := time.Date(year, month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	midnight := time.Date(anchor.Year(), anchor.Month(), anchor.Day(), 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(day, last)-1).Add(anchor.Sub(midnight))
}

// PeriodEnd returns the end of the period that begins at start. Every period ends whole intervals after the anchor.
func PeriodEnd(anchor, start time.Time, interval catalogue.Interval) time.Time {
	step := intervalMonths(interval)
	elapsedMonths := (start.Year()-anchor.Year())*12 + int(start.Month()) - int(anchor.Month())
	n := max(elapsedMonths/step, 0) * step
	for end := addMonths(anchor, n); ; end = addMonths(anchor, n) {
		if end.After(start) {
			return end
		}
		n += step
	}
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
