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
	// expirySettles is how long after a plan change has expired the provider has discarded it.
	expirySettles = time.Minute
)

// NextCheck returns when to compare our copy with the provider's if it was made now: soon while it
// may change without an event, when a pending plan change expires, once the next period has been
// charged, and at least weekly, because an event may have been lost and something may have been sold
// by hand. It is the zero time without a customer.
func (a *Account) NextCheck(now time.Time) time.Time {
	if a.CustomerID == "" {
		return time.Time{}
	}
	next := now.Add(quietCheck)
	if a.Stale(now) {
		next = now.Add(staleCheck)
	}
	if live := a.Live(); live != nil {
		if !a.Stale(now) {
			next = sooner(now, next, live.CurrentPeriodEnd.Add(chargeSettles))
		}
		if live.Pending != nil {
			next = sooner(now, next, live.Pending.ExpiresAt.Add(expirySettles))
		}
	}
	return next
}

// sooner returns at when it is between now and next, else next.
func sooner(now, next, at time.Time) time.Time {
	if at.After(now) && at.Before(next) {
		return at
	}
	return next
}
