package flows

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// organisation is what is stored, without asking the provider.
func (w *world) organisation(who identity.Identity) account.Organisation {
	w.t.Helper()
	org, err := w.Store.Organisation(w.t.Context(), who.OrganisationID)
	require.NoError(w.t, err)
	return org
}

// account is our copy.
func (w *world) account(who identity.Identity) *billing.Account {
	w.t.Helper()
	org := w.organisation(who)
	return &org.Billing
}

// truth is every subscription there is at the provider, whoever knows of it.
func (w *world) truth() []billing.Subscription {
	w.t.Helper()
	var all []billing.Subscription
	for _, id := range w.Bank.Subscriptions() {
		sub, err := w.Bank.Subscription(w.t.Context(), id)
		require.NoError(w.t, err)
		all = append(all, sub)
	}
	return all
}

// live are the live ones among the truth.
func (w *world) live() []billing.Subscription {
	var live []billing.Subscription
	for _, sub := range w.truth() {
		if sub.Status.Live() {
			live = append(live, sub)
		}
	}
	return live
}

// requireSound wants one customer, at most one live subscription, and our copy to be the truth.
func (w *world) requireSound(who identity.Identity) {
	w.t.Helper()
	org := w.organisation(who)
	require.Equal(w.t, []string{org.Billing.CustomerID}, w.Bank.Customers(), "the customers at the provider")
	require.LessOrEqual(w.t, len(w.live()), 1, "live subscriptions at the provider")
	for _, sub := range w.truth() {
		require.Equal(w.t, bare(sub), w.copyOf(org, sub.ID))
	}
	require.Len(w.t, org.Billing.Subscriptions, len(w.truth()))
}

func (w *world) copyOf(org account.Organisation, id string) billing.Subscription {
	w.t.Helper()
	for _, sub := range org.Billing.Subscriptions {
		if sub.ID == id {
			return sub
		}
	}
	assert.Failf(w.t, "unknown subscription", "%s goes on without our knowing", id)
	return billing.Subscription{}
}

// bare is a subscription as we may keep it.
func bare(sub billing.Subscription) billing.Subscription {
	var kept billing.Account
	kept.Record(sub)
	return kept.Subscriptions[0]
}

// requireNothingInDoubt wants every operation to be settled.
func (w *world) requireNothingInDoubt() {
	w.t.Helper()
	pending, err := w.Store.PendingOperations(w.t.Context(), 0, 100)
	require.NoError(w.t, err)
	require.Empty(w.t, pending)
}
