package billing

import "time"

const (
	// staleCheck is how long a copy that can't be relied on is left alone: whoever looks at it asks
	// the provider anyway.
	staleCheck = time.Hour
	// quietCheck is how long we go without hearing anything before asking whether all is well.
	quietCheck = 7 * 24 * time.Hour
	// chargeSettles is how long after a period's end the next one has been paid for, or not: a
	// provider takes an hour before it charges what it has billed.
	chargeSettles = 2 * time.Hour
)

// NextCheck is when to compare our copy with the provider's, seen from the moment it was made: soon
// while it may change without our being told, once the next period has been charged, and now and
// then in case somebody's news got lost: something may have been sold by hand even to a customer who
// has nothing. It is the zero time without a customer, who alone can be asked about.
func (a *Account) NextCheck(now time.Time) time.Time {
	if a.CustomerID == "" {
		return time.Time{}
	}
	if a.Stale(now) {
		return now.Add(staleCheck)
	}
	next := now.Add(quietCheck)
	if live := a.Live(); live != nil {
		if charged := live.CurrentPeriodEnd.Add(chargeSettles); charged.After(now) && charged.Before(next) {
			return charged
		}
	}
	return next
}
