package billing

import (
	"cmp"
	"reflect"
	"slices"
)

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
