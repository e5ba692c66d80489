package billing

import (
	"cmp"
	"reflect"
	"slices"
	"time"
)

// Account is everything billing knows about one organisation. The payment provider owns the
// truth about subscriptions; the account is our copy of it and what we decide by.
type Account struct {
	CustomerID    string    // "" until the provider has a customer for the organisation
	Currency      string    // fixed by the first subscription; "" before it
	TrialUsedAt   time.Time // when the organisation's only trial began; zero when it is still to come
	DevLicense    *License
	Subscriptions []Subscription // newest first, at most one of them live
	Revision      int64          // grows with every change that is recorded; see Record
	CheckAt       time.Time      // when to ask the provider without having been told anything; zero is never
	Surplus       []string       // see Record; what the provider told last, which is not stored
}

// License is what the organisation may use now, or nil. A developer license comes first.
func (a *Account) License() *License {
	if a.DevLicense != nil {
		return a.DevLicense
	}
	return a.find(Status.Live)
}

// PastLicense is the newest license that has ended, or nil.
func (a *Account) PastLicense() *License { return a.find(Status.Ended) }

// Live is the one live subscription, or nil.
func (a *Account) Live() *Subscription {
	return a.first(Status.Live)
}

// Open is the incomplete subscription whose first payment is still to be made, or nil.
func (a *Account) Open() *Subscription {
	return a.first(func(s Status) bool { return s == Incomplete })
}

// Record stores the provider's present word on its subscriptions, given newest first as the
// provider lists them: currency and trial follow from it, and neither is ever given back. Client
// secrets are left out: they are not ours to keep.
//
// A provider may have two live subscriptions, because somebody made one there by hand. The one we
// know stays the license, or else the oldest becomes it; the others are not recorded while it
// lives, and their ids are the Surplus. Which one to end, and what to pay back, is for people to
// decide: until they have, nothing is sold and nothing changed.
//
// Whoever asked the provider compares the Revision from before asking with the one at recording:
// a difference means that somebody recorded in between, and the word in hand may be the older one.
// A report that changes nothing does not raise it: many who look at once don't disturb each other.
func (a *Account) Record(subs ...Subscription) {
	before := *a
	before.Subscriptions = slices.Clone(a.Subscriptions)
	defer func() {
		if a.Currency != before.Currency || !a.TrialUsedAt.Equal(before.TrialUsedAt) ||
			!reflect.DeepEqual(a.Subscriptions, before.Subscriptions) {
			a.Revision++
		}
	}()
	license := a.licenseAmong(subs)
	a.Surplus = nil
	for _, s := range slices.Backward(subs) {
		if s.Status.Live() && s.ID != license {
			a.Surplus = append(a.Surplus, s.ID)
		} else {
			a.put(withoutSecrets(s))
		}
		a.Currency = cmp.Or(a.Currency, s.Price.Currency)
		if !s.TrialEnd.IsZero() {
			a.useTrial(s)
		}
	}
	slices.SortStableFunc(a.Subscriptions, func(x, y Subscription) int {
		return y.CreatedAt.Compare(x.CreatedAt)
	})
}

// put replaces the subscription, or adds it before the others: of two that were created at the
// same instant the one recorded later is the newer.
func (a *Account) put(s Subscription) {
	i := slices.IndexFunc(a.Subscriptions, func(known Subscription) bool { return known.ID == s.ID })
	if i < 0 {
		a.Subscriptions = slices.Insert(a.Subscriptions, 0, s)
		return
	}
	a.Subscriptions[i] = s
}

// useTrial notes when the trial began. Its end stands in for a beginning the provider did not
// tell, because a zero time would give the trial back.
func (a *Account) useTrial(s Subscription) {
	if !a.TrialUsedAt.IsZero() {
		return
	}
	a.TrialUsedAt = s.CreatedAt
	if s.CreatedAt.IsZero() {
		a.TrialUsedAt = s.TrialEnd
	}
}

func (a *Account) first(want func(Status) bool) *Subscription {
	for i := range a.Subscriptions {
		if want(a.Subscriptions[i].Status) {
			return &a.Subscriptions[i]
		}
	}
	return nil
}

func (a *Account) find(want func(Status) bool) *License {
	s := a.first(want)
	if s == nil {
		return nil
	}
	license := LicenseOf(*s)
	return &license
}
