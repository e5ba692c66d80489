package stripepayment_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// newAdapterHarness returns a copy of the harness with an adapter for the Stripe API at the URL.
func newAdapterHarness(t *testing.T, url, key string, clock clock.Clock, h paymenttest.Harness) paymenttest.Harness {
	t.Helper()
	p, err := stripepayment.New(stripepayment.Config{
		SecretKey: key, APIURL: url, WebhookSecrets: []string{"whsec_" + string(paymenttest.CurrentSecret)},
		Catalogue: catalogue.Default(), Clock: clock,
	})
	require.NoError(t, err)
	h.Provider, h.Now = p, clock.Now
	h.Sign = func(payload []byte, at time.Time, secret paymenttest.Secret) payment.Delivery {
		return newDelivery(payload, sign(payload, at, "whsec_"+string(secret)))
	}
	return h
}

// TestConformance_Stripeserver runs the conformance suite against stripeserver.
func TestConformance_Stripeserver(t *testing.T) {
	paymenttest.Run(t, newStripeserverHarness)
}

// TestConformance_RandomHistories runs random histories, in which quotes must equal charges.
func TestConformance_RandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 8, newStripeserverHarness)
}

func newStripeserverHarness(t *testing.T) paymenttest.Harness {
	f := newFakeStripe(t, catalogue.Default())
	h := newAdapterHarness(t, f.URL, testAPIKey, f.clock, paymenttest.Harness{
		RaisePrices: f.raisePrices, CreateCard: f.makeCard, ConfirmPayment: f.confirmIntent, ConfirmSetup: f.confirmIntent,
		DeleteCustomer: f.deleteCustomer, Deliveries: f.allDeliveries, ChargedSum: f.sumOfCharges,
		Missing: map[payment.Capability]string{paymenttest.InvoiceReopening: "Stripe reports a lost dispute, and the invoice stays paid"},
	})
	h.Advance = func(t *testing.T, d time.Duration) {
		f.advanceClock(t, d)
		f.deliverNewEvents(t, h.Provider)
	}
	h.Settle = func(t *testing.T) {
		if settlementTime := f.lastSettlementTime(t); settlementTime.After(f.clock.Now()) {
			h.Advance(t, settlementTime.Sub(f.clock.Now()))
		}
	}
	h.Dispute = func(t *testing.T, invoiceID string) {
		require.NoError(t, f.fakeProvider.OpenDisputeWithoutHold(t.Context(), invoiceID))
		f.deliverNewEvents(t, h.Provider)
	}
	h.CloseDispute = func(t *testing.T, invoiceID string, won bool) {
		require.NoError(t, f.fakeProvider.CloseDisputeKeepingCredit(t.Context(), invoiceID, won))
		f.deliverNewEvents(t, h.Provider)
	}
	return h
}

// Stripe's library checks the API version and the signature.
func TestStripeserver_EventsAreAcceptedByStripesLibrary(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	c := f.newCustomerWithCard(t, p)
	_, err := p.Subscribe(t.Context(), subscribeRequest(c, "standard"))
	require.NoError(t, err)
	require.NoError(t, f.fakeProvider.Drain(t.Context()))

	deliveries := f.allDeliveries(t)
	require.NotEmpty(t, deliveries)
	for _, d := range deliveries {
		_, err := webhook.ConstructEventIgnoringTolerance(d.Body, d.Header.Get("Stripe-Signature"), webhookSecret)
		assert.NoError(t, err, "%s", d.Body)
	}
}

// The first attempt fails before or after its effect, and a retry succeeds.
func TestSubscribe_RetriesStartOneSubscription(t *testing.T) {
	t.Parallel()
	for _, faultKind := range []stripeserver.FaultKind{stripeserver.RateLimit, stripeserver.LockTimeout,
		stripeserver.ServerError, stripeserver.ConnectionReset, stripeserver.NoResponse} {
		for _, afterEffect := range []bool{false, true} {
			if afterEffect && faultKind == stripeserver.ServerError {
				continue // see TestSubscribe_ServerErrorAfterTheEffectIsUnavailable
			}
			t.Run(fmt.Sprintf("%s after effect=%t", faultKind, afterEffect), func(t *testing.T) {
				t.Parallel()
				f := newFakeStripe(t, catalogue.Default())
				if faultKind == stripeserver.NoResponse {
					f.timeout = 2 * time.Second
				}
				p := f.provider(t, catalogue.Default())
				c := f.newCustomerWithCard(t, p)
				f.server.InjectFault(stripeserver.Fault{Kind: faultKind, FailAfterEffect: afterEffect,
					Route: "POST /v1/subscriptions"})

				s, err := p.Subscribe(t.Context(), subscribeRequest(c, "standard"))

				require.NoError(t, err)
				assert.Equal(t, billing.Active, s.Status)
				subscriptions, err := p.ListSubscriptions(t.Context(), c.ID)
				require.NoError(t, err)
				assert.Equal(t, []billing.Subscription{s}, subscriptions)
			})
		}
	}
}

// Stripe replays a 500 for the key, so only the list of subscriptions shows that the request had its effect.
func TestSubscribe_ServerErrorAfterTheEffectIsUnavailable(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	c := f.newCustomerWithCard(t, p)
	f.server.InjectFault(stripeserver.Fault{Kind: stripeserver.ServerError, FailAfterEffect: true,
		Route: "POST /v1/subscriptions"})
	req := subscribeRequest(c, "standard")

	for range 2 {
		_, err := p.Subscribe(t.Context(), req)
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	}

	subscriptions, err := p.ListSubscriptions(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Len(t, subscriptions, 1)
}
