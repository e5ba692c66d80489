package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/fault"
)

// Interval is how often a subscription is paid.
type Interval string

// The two intervals the product sells.
const (
	Monthly Interval = "monthly"
	Yearly  Interval = "yearly"
)

var intervals = []Interval{Monthly, Yearly}

// Intervals returns the intervals, the shorter first.
func Intervals() []Interval { return slices.Clone(intervals) }

// ParseInterval reads an interval; anything but the two is Invalid on the field "interval".
func ParseInterval(text string) (Interval, error) {
	if i := Interval(text); slices.Contains(intervals, i) {
		return i, nil
	}
	var f fault.Fields
	f.Add("interval", "Interval must be monthly or yearly")
	return "", f.Err()
}
