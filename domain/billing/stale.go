package billing

import "time"

// Stale reports whether our copy may have become wrong without the provider having told us: a
// first payment or an authentication was left with the customer's browser, a period has ended, or
// a payment is overdue, which the provider tries again when it likes.
func (a *Account) Stale(now time.Time) bool {
	if a.Open() != nil {
		return true
	}
	live := a.Live()
	if live == nil {
		return false
	}
	over := !live.CurrentPeriodEnd.IsZero() && !now.Before(live.CurrentPeriodEnd)
	return over || live.PendingSetup != nil || live.Status == PastDue
}
