package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestRecordReplacesByID(t *testing.T) {
	a := customer(onTrial("a", billing.Trialing, 0))
	a.Record(onTrial("a", billing.Active, 0))
	a.Record(onTrial("a", billing.Active, 0))
	require.Len(t, a.Subscriptions, 1)
	assert.Equal(t, billing.Active, a.License().Status)
}

func TestRecordKeepsTheNewestFirst(t *testing.T) {
	a := customer(subscription("b", billing.Canceled, 2))
	a.Record(subscription("c", billing.Active, 3), subscription("a", billing.Canceled, 1))
	assert.Equal(t, []string{"c", "b", "a"}, ids(a))
}

func TestRecordOfTheSameInstant(t *testing.T) {
	old, young := subscription("old", billing.Canceled, 0), subscription("young", billing.Canceled, 0)
	assert.Equal(t, []string{"young", "old"}, ids(customer(young, old)), "one list, newest first")

	a := customer(old)
	a.Record(young)
	a.Record(old)
	assert.Equal(t, []string{"young", "old"}, ids(a), "one after the other")
}

func TestRecordFixesTheCurrencyOfTheFirstSubscription(t *testing.T) {
	foreign := subscription("b", billing.Active, 2)
	foreign.Price = professionalUSD
	unknown := subscription("0", billing.Canceled, -1)
	unknown.Price.Currency = ""

	a := customer(foreign, subscription("a", billing.Canceled, 1), unknown)
	assert.Equal(t, "AUD", a.Currency)
	a.Record(foreign)
	assert.Equal(t, "AUD", a.Currency)
}

func TestRecordNotesTheOnlyTrial(t *testing.T) {
	a := customer(subscription("a", billing.Canceled, 0))
	assert.Zero(t, a.TrialUsedAt, "a subscription without a trial uses none")

	a.Record(onTrial("c", billing.Trialing, 5), onTrial("b", billing.Canceled, 2))
	assert.Equal(t, day0.AddDate(0, 0, 2), a.TrialUsedAt, "the first of two")

	ended := onTrial("c", billing.Canceled, 5)
	ended.TrialEnd = time.Time{}
	a.Record(ended)
	assert.Equal(t, day0.AddDate(0, 0, 2), a.TrialUsedAt, "never given back")
}

func TestRecordNotesATrialOfUnknownBeginning(t *testing.T) {
	s := onTrial("a", billing.Trialing, 0)
	s.CreatedAt = time.Time{}
	assert.Equal(t, s.TrialEnd, customer(s).TrialUsedAt)
}

func TestRecordDropsSecrets(t *testing.T) {
	s := subscription("a", billing.Incomplete, 0)
	s.PendingSetup = &billing.Intent{ID: "seti_1", Status: billing.RequiresAction, ClientSecret: "s1"}
	s.LatestInvoice = &billing.Invoice{ID: "in_1", Payment: &billing.Intent{
		ID: "pi_1", Status: billing.Succeeded, ClientSecret: "s2",
	}}
	kept := customer(s).Subscriptions[0]
	assert.Equal(t, &billing.Intent{ID: "seti_1", Status: billing.RequiresAction}, kept.PendingSetup)
	assert.Equal(t, "in_1", kept.LatestInvoice.ID)
	assert.Equal(t, &billing.Intent{ID: "pi_1", Status: billing.Succeeded}, kept.LatestInvoice.Payment)
	assert.Equal(t, "s1", s.PendingSetup.ClientSecret, "the browser still needs the original's")
	assert.Equal(t, "s2", s.LatestInvoice.Payment.ClientSecret)
}

func TestRecordSharesNothingWithItsInput(t *testing.T) {
	s := onTrial("a", billing.Trialing, 0)
	s.LatestInvoice = &billing.Invoice{ID: "in_1"}
	a := customer(s)
	s.LatestInvoice.ID = "in_2"
	assert.Equal(t, "in_1", a.Subscriptions[0].LatestInvoice.ID)
}

func TestRecordKeepsOneLicenseWhenTheProviderHasTwo(t *testing.T) {
	older, newer := subscription("a", billing.Active, 1), subscription("b", billing.Trialing, 2)

	unknown := customer(newer, older)
	assert.Equal(t, "a", unknown.License().ID, "the oldest, when we have heard of none")
	assert.Equal(t, []string{"b"}, unknown.Surplus)
	assert.Equal(t, []string{"a"}, ids(unknown))

	known := customer(newer)
	known.Record(newer, older)
	assert.Equal(t, "b", known.License().ID, "the one we know")
	assert.Equal(t, []string{"a"}, known.Surplus)

	known.Record(subscription("c", billing.Active, 3))
	assert.Equal(t, "b", known.License().ID, "what was not reported lives on")
	assert.Equal(t, []string{"c"}, known.Surplus)

	newer.Status = billing.Canceled
	known.Record(newer, older)
	assert.Equal(t, "a", known.License().ID, "the other one, once ours has ended")
	assert.Empty(t, known.Surplus)
}

func TestTwoSubscriptionsAreNotChangedAndNotAddedTo(t *testing.T) {
	a := customer(subscription("b", billing.Active, 2), subscription("a", billing.Active, 1))
	checkFault(t, billing.CheckChange(a, standardAUD), fault.Conflict, "more than one")
	checkFault(t, billing.CheckSubscribe(a, standardAUD), fault.Conflict, "already has a subscription")
}

// Whatever a provider tells, in whatever order, these hold.
func TestRecordInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &billing.Account{}
		for range rapid.IntRange(1, 8).Draw(t, "calls") {
			before := *a
			a.Record(rapid.SliceOfN(anySubscription(), 0, 3).Draw(t, "told")...)
			checkInvariants(t, before, a)
		}
	})
}

func checkInvariants(t require.TestingT, before billing.Account, a *billing.Account) {
	if before.Currency != "" {
		require.Equal(t, before.Currency, a.Currency)
	}
	if !before.TrialUsedAt.IsZero() {
		require.Equal(t, before.TrialUsedAt, a.TrialUsedAt)
	}
	require.GreaterOrEqual(t, len(a.Subscriptions), len(before.Subscriptions))
	live := 0
	for _, s := range a.Subscriptions {
		if s.Status.Live() {
			live++
		}
	}
	require.LessOrEqual(t, live, 1)
	require.True(t, slices.IsSortedFunc(a.Subscriptions, func(x, y billing.Subscription) int {
		return y.CreatedAt.Compare(x.CreatedAt)
	}))
	for _, s := range a.Subscriptions {
		require.Empty(t, s.PendingSetup.ClientSecret)
		require.True(t, s.TrialEnd.IsZero() || !a.TrialUsedAt.IsZero())
	}
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(ids(a)))), len(ids(a)))
}

func anySubscription() *rapid.Generator[billing.Subscription] {
	return rapid.Custom(func(t *rapid.T) billing.Subscription {
		day := rapid.IntRange(0, 3).Draw(t, "day")
		s := subscription(string(rune('a'+day)), rapid.SampledFrom(statuses).Draw(t, "status"), day)
		if rapid.Bool().Draw(t, "trial") {
			s = onTrial(s.ID, s.Status, day)
		}
		s.Price.Currency = rapid.SampledFrom([]string{"AUD", "USD", ""}).Draw(t, "currency")
		s.PendingSetup = &billing.Intent{ClientSecret: "secret"}
		return s
	})
}

var statuses = []billing.Status{
	billing.Incomplete, billing.IncompleteExpired, billing.Trialing, billing.Active,
	billing.PastDue, billing.Unpaid, billing.Canceled,
}

func ids(a *billing.Account) []string {
	var list []string
	for _, s := range a.Subscriptions {
		list = append(list, s.ID)
	}
	return list
}

func TestRecord_ReportThatChangesNothingDoesNotRaiseTheRevision(t *testing.T) {
	reported := onTrial("a", billing.Trialing, 0)
	reported.LatestInvoice = &billing.Invoice{ID: "in_1", Payment: &billing.Intent{ID: "pi_1", ClientSecret: "secret"}}
	reported.PendingSetup = &billing.Intent{ID: "seti_1", Status: billing.RequiresAction, ClientSecret: "secret"}
	a := customer(reported)
	before := a.Revision
	a.Record(reported)
	assert.Equal(t, before, a.Revision)

	reported.PendingSetup = nil
	a.Record(reported)
	assert.Equal(t, before+1, a.Revision)
	a.Record()
	assert.Equal(t, before+1, a.Revision)
	a.Record(reported, subscription("b", billing.Canceled, -1))
	assert.Equal(t, before+2, a.Revision)
}
