package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// updateKeepsHistory records subscriptions one after the other, two of them of the same
// instant, and wants them newest first, with whatever parts of an invoice they have.
func updateKeepsHistory(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	for _, next := range history() {
		o.Billing.Record(next)
		stored := update(t, s, o.ID, func(kept *account.Organisation) { kept.Billing.Record(next) })
		require.Equal(t, o, stored)
		requireOrganisation(t, s, o)
	}
	require.Len(t, o.Billing.Subscriptions, 5)
	require.Equal(t, "live", o.Billing.Live().ID)
}

func history() []billing.Subscription {
	first := subscription("first", billing.IncompleteExpired, noon)
	first.LatestInvoice, first.PendingSetup, first.Pending, first.Next = nil, nil, nil, billing.NextAction{}
	twin := subscription("twin", billing.Canceled, noon)
	twin.LatestInvoice.Payment, twin.TrialEnd = nil, time.Time{}
	older := subscription("older", billing.Unpaid, noon.Add(-time.Hour))
	older.CurrentPeriodEnd = time.Time{}
	undated := subscription("undated", billing.Canceled, noon)
	undated.CreatedAt, undated.LatestInvoice.ID, undated.MadeBy, undated.ChangedBy = time.Time{}, "", "", ""
	*undated.LatestInvoice = billing.Invoice{Payment: undated.LatestInvoice.Payment}
	undated.Pending.Amount = money.Amount{}
	started := subscription("live", billing.Incomplete, noon.Add(time.Hour))
	paid := subscription("live", billing.Active, noon.Add(time.Hour))
	return []billing.Subscription{first, twin, older, undated, started, paid}
}

func updateRemovesSubscriptions(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	two := []billing.Subscription{
		subscription("new", billing.Active, noon.Add(time.Hour)), subscription("old", billing.Canceled, noon),
	}
	for _, o.Billing.Subscriptions = range [][]billing.Subscription{two, two[1:], two[:1], nil} {
		update(t, s, o.ID, func(kept *account.Organisation) { *kept = o })
		requireOrganisation(t, s, o)
	}
}
