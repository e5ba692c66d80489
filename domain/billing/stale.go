package billing

import "time"

// Stale reports whether our copy can't be right any more without the provider having told us: a
// first payment or an authentication was left with the customer's browser, or a period has ended.
func (a *Account) Stale(now time.Time) bool {
	if a.Open() != nil {
		return true
	}
	live := a.Live()
	if live == nil {
		return false
	}
	over := !live.CurrentPeriodEnd.IsZero() && !now.Before(live.CurrentPeriodEnd)
	return over || live.PendingSetup != nil
}
