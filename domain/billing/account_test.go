package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
)

func TestSetCustomer_SchedulesCheckForNewCustomerOnly(t *testing.T) {
	a := billing.Account{}
	a.SetCustomer("cus_1", day0)
	assert.Equal(t, billing.Account{CustomerID: "cus_1", CheckAt: day0.AddDate(0, 0, 7)}, a)

	a.CheckAt = day0.Add(time.Minute)
	initial := a
	a.SetCustomer("cus_1", day0)
	assert.Equal(t, initial, a, "the customer is the same")
}

func TestRemoveCustomer_CancelsSubscriptionsAndKeepsTrialUsed(t *testing.T) {
	expiredTrial := newTrialSub("expired", billing.IncompleteExpired, -1)
	a := newAccount(newSubWithPendingChange(billing.Active), expiredTrial)
	a.CheckAt = day0
	revision := a.Revision

	a.RemoveCustomer()

	assert.Empty(t, a.CustomerID)
	assert.Empty(t, a.Currency)
	assert.Zero(t, a.CheckAt)
	assert.Nil(t, a.License())
	assert.Nil(t, a.OpenPayment())
	assert.Equal(t, "a", a.PastLicense().ID)
	assert.Nil(t, a.Subscriptions[0].Pending)
	assert.Equal(t, billing.NextAction{}, a.Subscriptions[0].Next)
	assert.Equal(t, billing.IncompleteExpired, a.Subscriptions[1].Status)
	assert.Equal(t, expiredTrial.CreatedAt, a.TrialUsedAt)
	assert.Equal(t, revision+1, a.Revision)
}

func TestRecordSubscriptions_ReplacesSubscriptionWithSameID(t *testing.T) {
	a := newAccount(newTrialSub("a", billing.Trialing, 0))
	a.RecordSubscriptions(newTrialSub("a", billing.Active, 0))
	require.Len(t, a.Subscriptions, 1)
	assert.Equal(t, billing.Active, a.License().Status)
}

func TestRecordSubscriptions_SortsSubscriptionsNewestFirst(t *testing.T) {
	a := newAccount(newSub("b", billing.Canceled, 2))
	a.RecordSubscriptions(newSub("c", billing.Active, 3), newSub("a", billing.Canceled, 1))
	assert.Equal(t, []string{"c", "b", "a"}, subscriptionIDs(a))

	olderSub, newerSub := newSub("older", billing.Canceled, 0), newSub("newer", billing.Canceled, 0)
	assert.Equal(t, []string{"newer", "older"}, subscriptionIDs(newAccount(newerSub, olderSub)),
		"same creation time, one report")
	a = newAccount(olderSub)
	a.RecordSubscriptions(newerSub)
	a.RecordSubscriptions(olderSub)
	assert.Equal(t, []string{"newer", "older"}, subscriptionIDs(a), "same creation time, several reports")
}

func TestRecordSubscriptions_KeepsCurrencyOfFirstSubscription(t *testing.T) {
	usdSubscription := newSub("b", billing.Active, 2)
	usdSubscription.Price = professionalUSD
	noCurrencySubscription := newSub("0", billing.Canceled, -1)
	noCurrencySubscription.Price.Currency = ""

	a := newAccount(usdSubscription, newSub("a", billing.Canceled, 1), noCurrencySubscription)
	assert.Equal(t, "AUD", a.Currency)
	a.RecordSubscriptions(usdSubscription)
	assert.Equal(t, "AUD", a.Currency)
}

func TestRecordSubscriptions_KeepsStartOfFirstTrial(t *testing.T) {
	a := newAccount(newSub("a", billing.Canceled, 0))
	assert.Zero(t, a.TrialUsedAt, "a subscription without a trial")

	a.RecordSubscriptions(newTrialSub("c", billing.Trialing, 5), newTrialSub("b", billing.Canceled, 2))
	assert.Equal(t, day0.AddDate(0, 0, 2), a.TrialUsedAt, "the earlier of two trials")

	trialWithoutEnd := newTrialSub("c", billing.Canceled, 5)
	trialWithoutEnd.TrialEnd = time.Time{}
	a.RecordSubscriptions(trialWithoutEnd)
	assert.Equal(t, day0.AddDate(0, 0, 2), a.TrialUsedAt, "a trial whose end is no longer reported")

	trialWithoutStart := newTrialSub("a", billing.Trialing, 0)
	trialWithoutStart.CreatedAt = time.Time{}
	assert.Equal(t, trialWithoutStart.TrialEnd, newAccount(trialWithoutStart).TrialUsedAt,
		"the end is recorded if the start is not reported")
}

func TestRecordSubscriptions_StoresDeepCopyWithoutSecrets(t *testing.T) {
	s := newSubWithPendingChange(billing.Active)
	s.PendingSetup = &billing.Intent{
		ID: "seti_1", Status: billing.RequiresAction, ClientSecret: "setup secret", HardDecline: true,
	}
	s.Next.URL, s.Next.Instructions = "https://provider.example/secret", []billing.Instruction{{Label: "Account", Value: "1"}}
	storedSub := newAccount(s).Subscriptions[0]

	assert.Equal(t, &billing.Intent{ID: "seti_1", Status: billing.RequiresAction}, storedSub.PendingSetup)
	assert.Equal(t, &billing.Intent{ID: "pi_1", Status: billing.RequiresPaymentMethod}, storedSub.LatestInvoice.Payment)
	assert.Empty(t, storedSub.Next.Secret+storedSub.Next.URL)
	assert.Equal(t, "setup secret", s.PendingSetup.ClientSecret, "the response to the browser keeps its secrets")
	assert.Equal(t, "secret", s.LatestInvoice.Payment.ClientSecret)
	assert.Equal(t, "secret", s.Next.Secret)

	s.LatestInvoice.ID, s.Pending.InvoiceID, s.Next.Instructions[0].Value = "in_2", "in_2", "2"
	assert.Equal(t, "in_1", storedSub.LatestInvoice.ID)
	assert.Equal(t, "in_1", storedSub.Pending.InvoiceID)
	assert.Equal(t, "1", storedSub.Next.Instructions[0].Value)
}

func TestRecordSubscriptions_KeepsOneLicenseOfTwoLiveSubscriptions(t *testing.T) {
	olderSub, newerSub := newSub("a", billing.Active, 1), newSub("b", billing.Trialing, 2)

	a := newAccount(newerSub, olderSub)
	assert.Equal(t, "a", a.License().ID, "the oldest subscription becomes the license")
	assert.Equal(t, []string{"b"}, a.SurplusSubscriptionIDs)
	assert.Equal(t, []string{"a"}, subscriptionIDs(a))

	a = newAccount(newerSub)
	a.RecordSubscriptions(newerSub, olderSub)
	assert.Equal(t, "b", a.License().ID, "the stored license remains the license")
	assert.Equal(t, []string{"a"}, a.SurplusSubscriptionIDs)

	a.RecordSubscriptions(newSub("c", billing.Active, 3))
	assert.Equal(t, "b", a.License().ID, "the license remains although it was not reported")
	assert.Equal(t, []string{"c"}, a.SurplusSubscriptionIDs)

	newerSub.Status = billing.Canceled
	a.RecordSubscriptions(newerSub, olderSub)
	assert.Equal(t, "a", a.License().ID, "the other subscription replaces the ended license")
	assert.Empty(t, a.SurplusSubscriptionIDs)
}

func TestRecordSubscriptions_RaisesRevisionOnlyForChanges(t *testing.T) {
	reportedSub := newTrialSub("a", billing.Trialing, 0)
	reportedSub.LatestInvoice = &billing.Invoice{ID: "in_1", Payment: &billing.Intent{ID: "pi_1", ClientSecret: "secret"}}
	reportedSub.PendingSetup = &billing.Intent{ID: "seti_1", Status: billing.RequiresAction, ClientSecret: "secret"}
	a := newAccount(reportedSub)
	revision := a.Revision
	a.RecordSubscriptions(reportedSub)
	assert.Equal(t, revision, a.Revision)

	reportedSub.PendingSetup = nil
	a.RecordSubscriptions(reportedSub)
	assert.Equal(t, revision+1, a.Revision)
	a.RecordSubscriptions()
	assert.Equal(t, revision+1, a.Revision)
	a.RecordSubscriptions(reportedSub, newSub("b", billing.Canceled, -1))
	assert.Equal(t, revision+2, a.Revision)
}

func TestRecordSubscriptions_AnySequenceOfReportsKeepsInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &billing.Account{}
		for range rapid.IntRange(1, 8).Draw(t, "calls") {
			previous := *a
			a.RecordSubscriptions(rapid.SliceOfN(subscriptionGenerator(), 0, 3).Draw(t, "report")...)
			requireInvariants(t, previous, a)
		}
	})
}

// requireInvariants requires that the currency and the used trial are unchanged. It also requires that the subscriptions
// are unique, sorted and without secrets, and that at most one of them is live.
func requireInvariants(t require.TestingT, previous billing.Account, a *billing.Account) {
	if previous.Currency != "" {
		require.Equal(t, previous.Currency, a.Currency)
	}
	if !previous.TrialUsedAt.IsZero() {
		require.Equal(t, previous.TrialUsedAt, a.TrialUsedAt)
	}
	require.GreaterOrEqual(t, len(a.Subscriptions), len(previous.Subscriptions))
	liveCount := 0
	for _, s := range a.Subscriptions {
		if s.Status.Live() {
			liveCount++
		}
		require.Empty(t, s.PendingSetup.ClientSecret)
		require.True(t, s.TrialEnd.IsZero() || !a.TrialUsedAt.IsZero())
	}
	require.LessOrEqual(t, liveCount, 1)
	require.True(t, slices.IsSortedFunc(a.Subscriptions, func(x, y billing.Subscription) int {
		return y.CreatedAt.Compare(x.CreatedAt)
	}))
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(subscriptionIDs(a)))), len(subscriptionIDs(a)))
}

func subscriptionGenerator() *rapid.Generator[billing.Subscription] {
	return rapid.Custom(func(t *rapid.T) billing.Subscription {
		day := rapid.IntRange(0, 3).Draw(t, "day")
		s := newSub(string(rune('a'+day)), rapid.SampledFrom(statuses).Draw(t, "status"), day)
		if rapid.Bool().Draw(t, "trial") {
			s = newTrialSub(s.ID, s.Status, day)
		}
		s.Price.Currency = rapid.SampledFrom([]string{"AUD", "USD", ""}).Draw(t, "currency")
		s.PendingSetup = &billing.Intent{ClientSecret: "secret"}
		return s
	})
}

func subscriptionIDs(a *billing.Account) (ids []string) {
	for _, s := range a.Subscriptions {
		ids = append(ids, s.ID)
	}
	return ids
}
