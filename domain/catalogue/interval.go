package catalogue

import "github.com/vc-admin/diy/domain/fault"

// Interval is how often a subscription is paid.
type Interval string

// The two intervals the product sells.
const (
	Monthly Interval = "monthly"
	Yearly  Interval = "yearly"
)

// ParseInterval reads an interval; anything but the two is Invalid on the field "interval".
func ParseInterval(text string) (Interval, error) {
	switch i := Interval(text); i {
	case Monthly, Yearly:
		return i, nil
	}
	var f fault.Fields
	f.Add("interval", "Interval must be monthly or yearly")
	return "", f.Err()
}
