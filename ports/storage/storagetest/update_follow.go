package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// liveSubscriptionFollows lets one subscription end as the next begins, and the other way
// round, each in one update: at no moment are two of them live.
func liveSubscriptionFollows(t *testing.T, h Harness) {
	s := h.Open(t)
	o := subscribed(t, s, "ada")
	swap := func(old, next billing.Status) {
		o.Billing.Record(
			subscription("next", next, noon.Add(time.Hour)), subscription("sub of ada", old, noon),
		)
		require.Equal(t, o, update(t, s, o.ID, func(kept *account.Organisation) { *kept = o }))
		requireOrganisation(t, s, o)
	}
	swap(billing.Canceled, billing.Active)
	swap(billing.Active, billing.Unpaid)
	swap(billing.Unpaid, billing.PastDue)

	o.Billing.Subscriptions = []billing.Subscription{subscription("only", billing.Trialing, noon)}
	require.Equal(t, o, update(t, s, o.ID, func(kept *account.Organisation) { *kept = o }))
}

// subscribed is an organisation with a customer and a live subscription.
func subscribed(t *testing.T, s storage.Store, name string) account.Organisation {
	t.Helper()
	return update(t, s, signedUp(t, s, name).Organisation.ID, func(o *account.Organisation) {
		o.Billing.CustomerID = "customer of " + name
		o.Billing.Record(subscription("sub of "+name, billing.Active, noon))
	})
}
