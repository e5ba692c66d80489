package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// updateKeepsNoSecret stores client secrets without the care that billing.Account takes: neither
// what is kept nor what is returned holds them.
func updateKeepsNoSecret(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	stored := update(t, s, o.ID, func(o *account.Organisation) {
		sub := subscription("sub", billing.Incomplete, noon)
		sub.LatestInvoice.Payment.ClientSecret = "payment secret"
		sub.PendingSetup.ClientSecret = "setup secret"
		sub.Next.Secret, sub.Next.URL = "payment secret", "https://provider.example/secret"
		o.Billing.Subscriptions = []billing.Subscription{sub}
	})
	o.Billing.Subscriptions = []billing.Subscription{subscription("sub", billing.Incomplete, noon)}
	require.Equal(t, o, stored)
	requireOrganisation(t, s, o)
}
