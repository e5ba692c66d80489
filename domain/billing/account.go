package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/timezone"
)

// Account contains the billing state of one organisation, as the payment provider last reported it. All decisions use
// this copy.
type Account struct {
	CustomerID             string    // "" while the organisation has no customer at the provider
	Currency               string    // fixed by the first subscription; "" before it
	TrialUsedAt            time.Time // when the organisation's only trial began; zero while it is available
	DevLicense             *License
	Subscriptions          []Subscription // newest first, at most one of them live
	Revision               int64          // increases with every stored change
	CheckAt                time.Time      // when to read the provider again without an event; zero for never
	LastVoidedInvoice      VoidedInvoice  // the last invoice that was voided by ending a subscription
	TransferReport         TransferReport // the customer's last report of a bank transfer
	OwingSubscriptionID    string         // the canceled subscription with an owed invoice, see OwingSubscription; "" for none
	SurplusSubscriptionIDs []string       // further live subscriptions in the last report; see RecordSubscriptions; not stored
	// ScheduleLapsed reports whether the scheduled change of the live subscription had lapsed in the last report. It is
	// not stored.
	ScheduleLapsed bool
	// DisputedAt is the time of the latest dispute while the account is on hold, and DisputeTimeZone is the time zone of its
	// invoice; see LastDispute. They are zero when unknown, and not stored.
	DisputedAt      time.Time
	DisputeTimeZone timezone.Zone
}

// LiveSubscription returns the live subscription, or nil.
func (a *Account) LiveSubscription() *Subscription {
	return a.firstWithStatus(Status.Live)
}

// OpenSubscription returns the incomplete subscription, which waits for its first payment, or nil.
func (a *Account) OpenSubscription() *Subscription {
	return a.firstWithStatus(func(s Status) bool { return s == Incomplete })
}

// firstWithStatus returns the newest subscription with a matching status, or nil.
func (a *Account) firstWithStatus(matches func(Status) bool) *Subscription {
	for i := range a.Subscriptions {
		if matches(a.Subscriptions[i].Status) {
			return &a.Subscriptions[i]
		}
	}
	return nil
}

// SetCustomer stores the id of the organisation's customer at the provider and schedules the first
// check. It changes nothing when the id is the same.
func (a *Account) SetCustomer(id string, now time.Time) {
	if a.CustomerID == id {
		return
	}
	a.CustomerID = id
	a.CheckAt = a.NextCheck(now)
}

// RemoveCustomer updates the account after its customer was deleted at the provider. It cancels all subscriptions. It
// also clears the currency, because the next customer can have another currency. The trial stays used, and an
// owed invoice can no longer be paid.
func (a *Account) RemoveCustomer() {
	a.CustomerID, a.Currency, a.OwingSubscriptionID, a.CheckAt = "", "", "", time.Time{}
	a.Revision++
	for i := range a.Subscriptions {
		s := &a.Subscriptions[i]
		s.Next = NextAction{}
		if !s.Status.Ended() {
			s.Status, s.PendingSetup, s.Pending, s.Scheduled, s.EndsAt = Canceled, nil, nil, nil, time.Time{}
		}
	}
}
