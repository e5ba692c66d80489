package billing

import (
	"cmp"
	"reflect"
	"slices"
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
	Revision               int64          // increases with every response and every changed report, see RecordSubscriptions
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
// also clears the currency, because the next customer can have another currency. The trial stays used. Its owed invoice
// can no longer be paid.
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

// RecordSubscriptions stores the provider's report of subscriptions, sorted newest first, without their client secrets.
// The first subscription fixes the currency. The first trial is the organisation's only trial and stays used.
//
// A provider may report several live subscriptions if an operator has created one by hand. The stored license remains
// the license. If no license is stored, the oldest live subscription becomes the license. While the license is live,
// RecordSubscriptions keeps only the ids of the other live subscriptions, in SurplusSubscriptionIDs. Until an operator
// has ended all but one, the account can neither subscribe nor change its plan.
//
// A caller notes the Revision before it sends a request to the provider, and compares it with the Revision before it
// calls RecordSubscriptions. If the two differ, another report was recorded in between, and the caller's report may be
// outdated. A report without changes does not raise the Revision, so concurrent readers do not invalidate each other.
func (a *Account) RecordSubscriptions(subs ...Subscription) {
	previousAccount := *a
	previousAccount.Subscriptions = slices.Clone(a.Subscriptions)
	defer func() {
		if a.Currency != previousAccount.Currency || !a.TrialUsedAt.Equal(previousAccount.TrialUsedAt) ||
			!reflect.DeepEqual(a.Subscriptions, previousAccount.Subscriptions) {
			a.Revision++
		}
	}()
	licenseID := a.selectLicense(subs)
	a.SurplusSubscriptionIDs, a.ScheduleLapsed = nil, false
	for _, s := range slices.Backward(subs) {
		if s.Status.Live() && s.ID != licenseID {
			a.SurplusSubscriptionIDs = append(a.SurplusSubscriptionIDs, s.ID)
		} else {
			a.upsert(s.WithoutSecrets())
			a.ScheduleLapsed = a.ScheduleLapsed || s.Scheduled != nil && s.Scheduled.Lapsed
		}
		a.Currency = cmp.Or(a.Currency, s.Price.Currency)
		if !s.TrialEnd.IsZero() {
			a.recordTrial(s)
		}
	}
	slices.SortStableFunc(a.Subscriptions, func(x, y Subscription) int {
		return y.CreatedAt.Compare(x.CreatedAt)
	})
}

// selectLicense returns the id of the subscription that will be the license after the report is recorded. It selects the
// current license unless that has ended, otherwise the oldest live subscription, and returns "" if there is none.
// reportedSubs is sorted newest first.
func (a *Account) selectLicense(reportedSubs []Subscription) string {
	if liveSub := a.LiveSubscription(); liveSub != nil {
		i := slices.IndexFunc(reportedSubs, func(s Subscription) bool { return s.ID == liveSub.ID })
		if i < 0 || reportedSubs[i].Status.Live() {
			return liveSub.ID
		}
	}
	for _, s := range slices.Backward(reportedSubs) {
		if s.Status.Live() {
			return s.ID
		}
	}
	return ""
}

// upsert replaces the stored subscription with the same id or inserts s at the front. After the stable sort in
// RecordSubscriptions, the subscription that was recorded last is the first among those with the same creation time.
func (a *Account) upsert(s Subscription) {
	i := slices.IndexFunc(a.Subscriptions, func(storedSub Subscription) bool { return storedSub.ID == s.ID })
	if i < 0 {
		a.Subscriptions = slices.Insert(a.Subscriptions, 0, s)
		return
	}
	a.Subscriptions[i] = s
}

// recordTrial records the start of the organisation's first trial. If the provider did not report the start, recordTrial
// records the end, because a zero time would make the trial available again.
func (a *Account) recordTrial(s Subscription) {
	if !a.TrialUsedAt.IsZero() {
		return
	}
	a.TrialUsedAt = s.CreatedAt
	if s.CreatedAt.IsZero() {
		a.TrialUsedAt = s.TrialEnd
	}
}
