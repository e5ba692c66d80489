package storagetest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// updateRollsBack wants the very error back, whether it is a fault or not.
func updateRollsBack(t *testing.T, h Harness) {
	s := h.Open(t)
	o := update(t, s, signedUp(t, s, "ada").Organisation.ID, withSubscription)
	for _, refusal := range []error{errors.New("no"), fault.New(fault.Conflict, "Not now")} {
		got, err := s.UpdateOrganisation(t.Context(), o.ID, func(o *account.Organisation) error {
			ruin(o)
			return refusal
		})
		require.Same(t, refusal, err)
		require.Zero(t, got)
		requireOrganisation(t, s, o)
	}
}

// updateSurvivesPanic also wants the store to go on: a panic must not keep a lock.
func updateSurvivesPanic(t *testing.T, h Harness) {
	s := h.Open(t)
	o := update(t, s, signedUp(t, s, "ada").Organisation.ID, withSubscription)
	require.PanicsWithValue(t, "out of luck", func() {
		_, _ = s.UpdateOrganisation(t.Context(), o.ID, func(o *account.Organisation) error {
			ruin(o)
			panic("out of luck")
		})
	})
	requireOrganisation(t, s, o)
	o.Phone = "later"
	update(t, s, o.ID, func(kept *account.Organisation) { kept.Phone = "later" })
	requireOrganisation(t, s, o)
}

func withSubscription(o *account.Organisation) {
	o.Billing.CustomerID = "customer"
	o.Billing.Record(subscription("sub", billing.Active, noon))
}

// ruin changes all it can reach, also behind pointers.
func ruin(o *account.Organisation) {
	o.Name, o.Phone, o.Billing.CustomerID = "ruined", "ruined", "ruined"
	o.Billing.Subscriptions[0].Status = billing.Canceled
	o.Billing.Subscriptions[0].LatestInvoice.Payment.Status = billing.Succeeded
	o.Billing.Record(subscription("ruined", billing.Active, noon))
}
