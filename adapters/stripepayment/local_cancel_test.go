package stripepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// Stripe leaves the bill of a subscription open when that ends; nobody is to pay it any more.
func TestNothingIsLeftToPayWhenASubscriptionEnds(t *testing.T) {
	l := newLocalStripe(t, catalogue.Default())
	p := l.adapter(t, catalogue.Default())
	in := localOrder(l.payer(t, p, paymenttest.DeclinedWhenCharged), "standard")
	in.TrialDays = 7
	s, err := p.Subscribe(t.Context(), in)
	require.NoError(t, err)
	l.advance(t, 8*24*time.Hour)

	ended, err := p.CancelSubscription(t.Context(), payment.Cancellation{Key: "key-cancel", SubscriptionID: s.ID})

	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, ended.Status)
	require.NotNil(t, ended.LatestInvoice)
	require.NoError(t, l.machine.Read(t.Context(), func(b fakepayment.Snapshot) error {
		inv, _ := b.Invoice(ended.LatestInvoice.ID)
		assert.Equal(t, "void", string(inv.Status))
		return nil
	}))
}
