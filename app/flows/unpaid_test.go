package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// newPatientWorld is one where a subscription that nobody pays for is not ended: it comes back to
// life when its bill is paid, however late.
func newPatientWorld(t *testing.T) *world {
	t.Helper()
	return inhabited(t, flowtest.At(t, flowtest.Noon, flowtest.NewDatabase(t), func(c *fakepayment.Config) { c.AfterRetries = billing.Unpaid }))
}

// unpaid is a member who never paid, and the bill.
func (w *world) unpaid() (identity.Identity, *billing.Intent) {
	w.t.Helper()
	who := w.member()
	made := w.subscribed(who, flowtest.NeverCharged, standardMonthly)
	w.Advance(60 * day)
	require.Nil(w.t, w.license(who))
	require.Equal(w.t, billing.Unpaid, w.account(who).PastLicense().Status)
	now, err := w.Bank.Subscription(w.t.Context(), made.ID)
	require.NoError(w.t, err)
	return who, now.LatestInvoice.Payment
}

// The bill of the unpaid one is paid in the moment in which a new one takes its place.
func TestAnUnpaidOneThatIsPaidWhileItIsReplacedGoesOn(t *testing.T) {
	for _, when := range []moment{before, after} {
		t.Run(string(when)+" it is canceled", func(t *testing.T) {
			w := newPatientWorld(t)
			who, bill := w.unpaid()
			old, paid := w.account(who).Subscriptions[0].ID, w.paid()
			late := fakepayment.Confirmation{ClientSecret: bill.ClientSecret, CardID: w.Card(flowtest.Visa)}
			server, tap := w.tapped(func(c call, now moment) error {
				if c.name == "CancelSubscription" && now == when {
					_, err := w.Bank.Confirm(t.Context(), late)
					assert.Equal(t, when == before, err == nil, "%v", err)
				}
				return nil
			})

			_, err := server.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(flowtest.Mastercard), Price: professionalYearly})

			require.Contains(t, tap.names, "CancelSubscription")
			require.Len(t, w.live(), 1)
			assert.Equal(t, paid+1, w.paid(), "nobody pays twice, and nothing that was paid ends")
			assert.Equal(t, when == before, w.license(who).ID == old)
			if when == before {
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			} else {
				assert.NoError(t, err)
			}
			w.requireNothingInDoubt()
			w.requireSound(who)
		})
	}
}
