package storagetest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/storage"
)

var subscriptionScenarios = []scenario{
	{"an organisation lists its subscriptions newest first", testSubscriptionHistory},
	{"UpdateOrganisation removes subscriptions", testRemoveSubscriptions},
	{"client secrets are not stored", testClientSecretsAreNotStored},
	{"UpdateOrganisation with a second live subscription returns Conflict", testOneLiveSubscription},
	{"UpdateOrganisation can replace the live subscription", testReplaceLiveSubscription},
	{"UpdateOrganisation with a subscription of another organisation returns Conflict", testSubscriptionIsUnique},
	{"OrganisationsOnHold returns organisations with a disputed payment", testOrganisationsOnHold},
}

// testSubscriptionHistory also stores subscriptions without parts of the invoice, and two subscriptions with the
// same creation time.
func testSubscriptionHistory(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	for _, sub := range subscriptionHistory() {
		o.Billing.RecordSubscriptions(sub)
		updatedOrg := updateOrganisation(t, s, o.ID, func(storedOrg *account.Organisation) { storedOrg.Billing.RecordSubscriptions(sub) })
		require.Equal(t, o, updatedOrg)
		requireOrganisation(t, s, o)
	}
	require.Len(t, o.Billing.Subscriptions, 5)
	require.Equal(t, "live", o.Billing.LiveSubscription().ID)
}

// subscriptionHistory returns subscriptions in the order in which they are recorded.
func subscriptionHistory() []billing.Subscription {
	firstSub := newSubscription("first", billing.IncompleteExpired, noon)
	firstSub.Amount, firstSub.Renewal = money.Amount{}, money.Amount{} // unknown
	firstSub.LatestInvoice, firstSub.PendingSetup, firstSub.Pending, firstSub.Next = nil, nil, nil, billing.NextAction{}
	firstSub.PeriodStart, firstSub.EndsAt, firstSub.UnpaidEndsAt, firstSub.Scheduled, firstSub.Hold = time.Time{}, time.Time{},
		time.Time{}, nil, billing.NoHold
	firstSub.Pause = nil
	twinSub := newSubscription("twin", billing.Canceled, noon)
	twinSub.LatestInvoice.Payment, twinSub.TrialEnd, twinSub.Scheduled.Amount = nil, time.Time{}, money.Amount{}
	twinSub.Pending.Replaces.Amount = money.Amount{}
	olderSub := newSubscription("older", billing.Unpaid, noon.Add(-time.Hour))
	olderSub.CurrentPeriodEnd, olderSub.Pause = time.Time{}, &billing.Pause{}
	undatedSub := newSubscription("undated", billing.Canceled, noon)
	undatedSub.CreatedAt, undatedSub.LatestInvoice.ID, undatedSub.StartKey, undatedSub.ChangeKey = time.Time{}, "", "", ""
	*undatedSub.LatestInvoice = billing.Invoice{Payment: undatedSub.LatestInvoice.Payment}
	undatedSub.Pending.Amount = money.Amount{}
	incompleteSub := newSubscription("live", billing.Incomplete, noon.Add(time.Hour))
	activeSub := newSubscription("live", billing.Active, noon.Add(time.Hour))
	return []billing.Subscription{firstSub, twinSub, olderSub, undatedSub, incompleteSub, activeSub}
}

func testRemoveSubscriptions(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	history := []billing.Subscription{
		newSubscription("new", billing.Active, noon.Add(time.Hour)), newSubscription("old", billing.Canceled, noon),
	}
	for _, subscriptions := range [][]billing.Subscription{history, history[1:], history[:1], nil} {
		o.Billing.Subscriptions = subscriptions
		updateOrganisation(t, s, o.ID, func(storedOrg *account.Organisation) { *storedOrg = o })
		requireOrganisation(t, s, o)
	}
}

// testClientSecretsAreNotStored checks both the stored organisation and the one that the update returns.
func testClientSecretsAreNotStored(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	updatedOrg := updateOrganisation(t, s, o.ID, func(o *account.Organisation) {
		sub := newSubscription("sub", billing.Incomplete, noon)
		sub.LatestInvoice.Payment.ClientSecret = "payment secret"
		sub.PendingSetup.ClientSecret = "setup secret"
		sub.Next.Secret, sub.Next.URL = "payment secret", "https://provider.example/secret"
		o.Billing.Subscriptions = []billing.Subscription{sub}
	})
	o.Billing.Subscriptions = []billing.Subscription{newSubscription("sub", billing.Incomplete, noon)}
	require.Equal(t, o, updatedOrg)
	requireOrganisation(t, s, o)
}

// testReplaceLiveSubscription ends one subscription and starts another in the same update, in both orders.
func testReplaceLiveSubscription(t *testing.T, h Harness) {
	s := h.Open(t)
	o := newSubscriber(t, s, "ada")
	swap := func(oldStatus, nextStatus billing.Status) {
		o.Billing.RecordSubscriptions(
			newSubscription("next", nextStatus, noon.Add(time.Hour)), newSubscription("sub of ada", oldStatus, noon),
		)
		require.Equal(t, o, updateOrganisation(t, s, o.ID, func(storedOrg *account.Organisation) { *storedOrg = o }))
		requireOrganisation(t, s, o)
	}
	swap(billing.Canceled, billing.Active)
	swap(billing.Active, billing.Unpaid)
	swap(billing.Unpaid, billing.PastDue)

	o.Billing.Subscriptions = []billing.Subscription{newSubscription("only", billing.Trialing, noon)}
	require.Equal(t, o, updateOrganisation(t, s, o.ID, func(storedOrg *account.Organisation) { *storedOrg = o }))
}

// newSubscriber signs up an organisation with a customer and a live subscription.
func newSubscriber(t *testing.T, s storage.Store, name string) account.Organisation {
	t.Helper()
	return updateOrganisation(t, s, storeSignUp(t, s, name).Organisation.ID, func(o *account.Organisation) {
		o.Billing.CustomerID = "customer of " + name
		o.Billing.RecordSubscriptions(newSubscription("sub of "+name, billing.Active, noon))
	})
}

func testOneLiveSubscription(t *testing.T, h Harness) {
	for _, status := range []billing.Status{billing.Trialing, billing.Active, billing.PastDue} {
		t.Run(string(status), func(t *testing.T) {
			requireUpdateFails(t, h, fault.Conflict, func(o *account.Organisation) {
				another := newSubscription("another", status, noon.Add(time.Hour)) // added directly, because Record would omit it
				o.Billing.Subscriptions = append([]billing.Subscription{another}, o.Billing.Subscriptions...)
			})
		})
	}
}

func testSubscriptionIsUnique(t *testing.T, h Harness) {
	requireUpdateFails(t, h, fault.Conflict, func(o *account.Organisation) {
		o.Billing.RecordSubscriptions(newSubscription("sub of first", billing.Canceled, noon))
	})
}

// requireUpdateFails requires that an update of the second of two subscribers fails with the code and changes
// nothing.
func requireUpdateFails(t *testing.T, h Harness, code fault.Code, change func(*account.Organisation)) {
	t.Helper()
	s := h.Open(t)
	firstOrg, secondOrg := newSubscriber(t, s, "first"), newSubscriber(t, s, "second")
	_, err := s.UpdateOrganisation(t.Context(), secondOrg.ID, func(o *account.Organisation) error {
		o.Phone = "changed"
		change(o)
		return nil
	})
	requireFault(t, code, err)
	if code == fault.Duplicate {
		requireDuplicate(t, err, "org")
	}
	requireOrganisation(t, s, firstOrg)
	requireOrganisation(t, s, secondOrg)
}

func testOrganisationsOnHold(t *testing.T, h Harness) {
	s := h.Open(t)
	orgs, err := s.OrganisationsOnHold(t.Context())
	require.NoError(t, err)
	require.Empty(t, orgs)
	orgsByID := map[string]account.Organisation{}
	var ids []string
	for name, holds := range map[string][]billing.Hold{
		"ada": {billing.NoHold, billing.HoldDisputed}, "ben": {billing.HoldDisputed, billing.HoldDisputed},
		"cyd": {billing.NoHold}, "dan": nil,
	} {
		o := storeSignUp(t, s, name).Organisation
		o = updateOrganisation(t, s, o.ID, func(o *account.Organisation) {
			for i, hold := range holds {
				sub := newSubscription(name+strconv.Itoa(i), billing.Canceled, noon)
				sub.Hold = hold
				o.Billing.RecordSubscriptions(sub)
			}
		})
		if o.Billing.Hold() != billing.NoHold {
			orgsByID[o.ID] = o
			ids = append(ids, o.ID)
		}
	}
	require.Len(t, ids, 2)
	slices.Sort(ids)

	orgs, err = s.OrganisationsOnHold(t.Context())
	require.NoError(t, err)
	require.Equal(t, []account.Organisation{orgsByID[ids[0]], orgsByID[ids[1]]}, orgs)
}
