package invoicepayment

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSubscribe_NoFreeServiceByStartingAgain(t *testing.T) {
	for name, end := range map[string]func(e *env, s billing.Subscription){
		"ended unpaid": func(e *env, s billing.Subscription) { e.subscriptionAfter(t, s.ID, 22*day) },
		"canceled while the invoice is open": func(e *env, s billing.Subscription) {
			_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: s.ID})
			require.NoError(t, err)
		},
	} {
		e := newEnv(t, openStore(t, newSQLite(t)))
		c := newCustomer(t, e)
		s, err := e.subscribe(t, c, 0)
		require.NoError(t, err)
		end(e, s)

		_, err = e.subscribe(t, c, 0)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), name)
		assert.ErrorContains(t, err, "INV-000001", name)

		_, err = e.Void(t.Context(), "INV-000001")
		require.NoError(t, err)
		_, err = e.subscribe(t, c, 0)
		assert.NoError(t, err, name)
	}
}
