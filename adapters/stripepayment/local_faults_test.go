package stripepayment_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// Whatever happens to the request that sells, before its effect or after, one subscription comes
// of it: at once, because the adapter asks again under the same key.
func TestOneSubscriptionComesOfItWhateverFails(t *testing.T) {
	for _, failure := range []stripeserver.Failure{stripeserver.RateLimited, stripeserver.LockTimeout, stripeserver.ServerError, stripeserver.ConnectionReset, stripeserver.NoResponse} {
		for _, after := range []bool{false, true} {
			if after && failure == stripeserver.ServerError {
				continue // the next test
			}
			t.Run(fmt.Sprintf("%s after=%t", failure, after), func(t *testing.T) {
				l := newLocalStripe(t, catalogue.Default())
				p := l.adapter(t, catalogue.Default())
				c := l.payer(t, p, paymenttest.Pays)
				l.face.InjectFault(stripeserver.Fault{Failure: failure, AfterEffect: after, Route: "POST /v1/subscriptions"})

				s, err := p.Subscribe(t.Context(), localOrder(c, "standard"))

				require.NoError(t, err)
				assert.Equal(t, billing.Active, s.Status)
				all, err := p.ListSubscriptions(t.Context(), c.ID)
				require.NoError(t, err)
				assert.Equal(t, []billing.Subscription{s}, all)
			})
		}
	}
}

// A 500 is Stripe's answer to the key for good, so only a look at the customer tells what came of
// it.
func TestAnErrorAfterTheEffectIsUnknownAndCanBeAsked(t *testing.T) {
	l := newLocalStripe(t, catalogue.Default())
	p := l.adapter(t, catalogue.Default())
	c := l.payer(t, p, paymenttest.Pays)
	l.face.InjectFault(stripeserver.Fault{Failure: stripeserver.ServerError, AfterEffect: true, Route: "POST /v1/subscriptions"})
	order := localOrder(c, "standard")

	for range 2 {
		_, err := p.Subscribe(t.Context(), order)
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	}

	all, err := p.ListSubscriptions(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Len(t, all, 1)
}

// The payment has gone through, and only its answer is lost: the same key asks for it again.
func TestABillIsPaidOnceAlthoughTheAnswerIsLost(t *testing.T) {
	l := newLocalStripe(t, catalogue.Default())
	p := l.adapter(t, catalogue.Default())
	c := l.payer(t, p, paymenttest.DeclinedWhenCharged)
	s, err := p.Subscribe(t.Context(), localOrder(c, "standard"))
	require.NoError(t, err)
	require.Equal(t, billing.Incomplete, s.Status)
	l.give(t, p, c.ID, paymenttest.Pays)
	l.face.InjectFault(stripeserver.Fault{Failure: stripeserver.ConnectionReset, AfterEffect: true, Route: "POST /v1/invoices/"})

	after, err := p.PayInvoice(t.Context(), payment.InvoicePayment{Key: "key-pay", InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue})

	require.NoError(t, err)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, s.LatestInvoice.ID, after.LatestInvoice.ID)
}
