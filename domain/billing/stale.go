package billing

import "time"

// Stale reports whether our copy may be out of date without the provider having sent an event: a
// first payment, a plan change or an authentication was left with the customer's browser, a period
// has ended, or a payment is overdue, which the provider tries again at a time of its own choice.
func (a *Account) Stale(now time.Time) bool {
	if a.Open() != nil {
		return true
	}
	live := a.Live()
	if live == nil {
		return false
	}
	over := !live.CurrentPeriodEnd.IsZero() && !now.Before(live.CurrentPeriodEnd)
	return over || live.PendingSetup != nil || live.Pending != nil || live.Status == PastDue
}
