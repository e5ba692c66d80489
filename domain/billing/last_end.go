package billing

import "time"

// EndCause is the reason why a subscription has ended.
type EndCause string

// The causes of an end.
const (
	CauseUnknown   EndCause = ""              // an operator ended the subscription, or the provider reports no reason
	CauseRequested EndCause = "requested"     // its customer ended it
	CauseUnpaid    EndCause = "unpaid"        // the invoice of its last period was not paid
	CauseNotBegun  EndCause = "never_started" // its first payment was not made, or its order was not approved or was withdrawn
)

// LastEnd describes the end of an organisation's last subscription.
type LastEnd struct {
	At    time.Time // zero when unknown
	Cause EndCause
}

// LastEnd returns when and why the past license has ended, or nil if there is none.
func (a *Account) LastEnd() *LastEnd {
	s := a.firstWithStatus(Status.Ended)
	if s == nil {
		return nil
	}
	return &LastEnd{At: s.EndsAt, Cause: a.endCause(s)}
}

// endCause returns the reason why the subscription has ended.
func (a *Account) endCause(s *Subscription) EndCause {
	switch {
	case s.Status == IncompleteExpired:
		return CauseNotBegun
	case s.ID == a.OwingSubscriptionID, s.ID == a.LastVoidedInvoice.SubscriptionID:
		return CauseRequested
	case !s.EndsAt.IsZero() && s.EndsAt.Equal(s.CurrentPeriodEnd):
		return CauseRequested // an end because of an unpaid invoice comes before the end of the period
	case s.Status == Unpaid, s.hasUnpaidPeriod():
		return CauseUnpaid
	}
	return CauseUnknown
}

// hasUnpaidPeriod reports whether the latest invoice is unpaid and was issued for the last period, not for a plan change
// during it.
func (s *Subscription) hasUnpaidPeriod() bool {
	inv := s.LatestInvoice
	return inv != nil && inv.Status != InvoicePaid && inv.AmountDue.Minor() > 0 &&
		!s.PeriodStart.IsZero() && !inv.CreatedAt.After(s.PeriodStart.Add(chargeDelay))
}
