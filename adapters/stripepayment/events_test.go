package stripepayment_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// event is one of Stripe's about an object.
func event(kind string, about object) object {
	return object{
		"id": "evt_1", "object": "event", "api_version": stripe.APIVersion, "created": noon.Unix(), "type": kind,
		"livemode": false, "pending_webhooks": 1, "request": object{"id": "req_1", "idempotency_key": nil}, "data": object{"object": about},
	}
}

// deliver signs the event and has it read.
func deliver(t *testing.T, p *stripepayment.Provider, e object) (payment.Event, error) {
	t.Helper()
	payload, err := json.Marshal(e)
	require.NoError(t, err)
	return p.ParseEvent(payload, sign(payload, noon, "whsec_new"))
}

func sign(payload []byte, at time.Time, secret string) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: payload, Secret: secret, Timestamp: at}).Header
}

func TestEventsAreReadAsHints(t *testing.T) {
	ofSubscription := object{"id": "in_1", "object": "invoice", "customer": "cus_1",
		"parent": object{"type": "subscription_details", "subscription_details": object{"subscription": "sub_1", "metadata": object{}}}}
	subscription := object{"id": "sub_1", "object": "subscription", "customer": "cus_1", "status": "active"}
	for name, c := range map[string]struct {
		about        object
		kind         payment.EventKind
		customer     string
		subscription string
	}{
		"customer.subscription.created":        {subscription, payment.SubscriptionChanged, "cus_1", "sub_1"},
		"customer.subscription.deleted":        {subscription, payment.SubscriptionChanged, "cus_1", "sub_1"},
		"customer.subscription.trial_will_end": {subscription.with(object{"customer": customer}), payment.SubscriptionChanged, "cus_1", "sub_1"},
		"invoice.paid":                         {ofSubscription, payment.SubscriptionChanged, "cus_1", "sub_1"},
		"invoice.payment_action_required":      {ofSubscription, payment.SubscriptionChanged, "cus_1", "sub_1"},
		"invoice.upcoming":                     {ofSubscription.with(object{"id": nil}), payment.SubscriptionChanged, "cus_1", "sub_1"},
		"invoice.payment_failed":               {object{"id": "in_2", "object": "invoice", "customer": "cus_1", "parent": nil}, payment.Other, "cus_1", ""},
		"customer.created":                     {customer, payment.CustomerChanged, "cus_1", ""},
		"customer.updated":                     {customer, payment.CustomerChanged, "cus_1", ""},
		"customer.deleted":                     {customer.with(object{"deleted": true}), payment.CustomerDeleted, "cus_1", ""},
		"customer.tax_id.created":              {object{"id": "txi_1", "object": "tax_id", "customer": "cus_1"}, payment.Other, "cus_1", ""},
		"customer.subscription.paused":         {subscription, payment.SubscriptionChanged, "cus_1", "sub_1"},
		"invoice.voided":                       {ofSubscription, payment.SubscriptionChanged, "cus_1", "sub_1"},
		"payment_method.attached":              {card("pm_1"), payment.CustomerChanged, "cus_1", ""},
		"payment_method.updated":               {card("pm_1"), payment.CustomerChanged, "cus_1", ""},
		"payment_method.automatically_updated": {card("pm_1"), payment.CustomerChanged, "cus_1", ""},
		"setup_intent.setup_failed":            {object{"id": "seti_1", "object": "setup_intent", "customer": "cus_1"}, payment.CustomerChanged, "cus_1", ""},
		"setup_intent.succeeded":               {object{"id": "seti_1", "object": "setup_intent", "customer": "cus_1"}, payment.CustomerChanged, "cus_1", ""},
		"payment_intent.succeeded":             {object{"id": "pi_1", "object": "payment_intent", "customer": "cus_1"}, payment.Other, "cus_1", ""},
		"invoice_payment.paid":                 {object{"id": "inpay_1", "object": "invoice_payment", "invoice": "in_1"}, payment.Other, "", ""},
		"price.updated":                        {price("standard_yearly", 1, 1), payment.Other, "", ""},
		"something.new":                        {object{"object": "novelty"}, payment.Other, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := deliver(t, newScript(t).provider(), event(name, c.about))
			require.NoError(t, err)
			assert.Equal(t, payment.Event{
				ID: "evt_1", Kind: c.kind, Type: name, CustomerID: c.customer, SubscriptionID: c.subscription, CreatedAt: noon,
			}, got)
		})
	}
}

func TestADetachedCardStillTellsWhoseItWas(t *testing.T) {
	e := event("payment_method.detached", nil)
	e["data"] = object{"object": card("pm_1").with(object{"customer": nil}), "previous_attributes": object{"customer": "cus_1"}}
	got, err := deliver(t, newScript(t).provider(), e)
	require.NoError(t, err)
	assert.Equal(t, "cus_1", got.CustomerID)
	assert.Equal(t, payment.CustomerChanged, got.Kind)
}

func TestWhatIsNoEvent(t *testing.T) {
	whole := event("invoice.paid", object{"object": "invoice"})
	for name, e := range map[string]object{
		"nothing":           {},
		"another object":    whole.with(object{"object": "invoice"}),
		"without an id":     whole.with(object{"id": ""}),
		"without a type":    whole.with(object{"type": ""}),
		"without data":      whole.with(object{"data": nil}),
		"about nothing":     whole.with(object{"data": object{}}),
		"about a text":      whole.with(object{"data": object{"object": "in_1"}}),
		"a thin event":      {"id": "evt_1", "object": "v2.core.event", "type": "v1.billing.meter.no_meter_found"},
		"of an old version": whole.with(object{"api_version": "2020-08-27"}),
		"of another train":  whole.with(object{"api_version": "2025-09-30.clover"}),
		"of no version":     whole.with(object{"api_version": nil}),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := deliver(t, newScript(t).provider(), e)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		})
	}
}

func TestAnotherVersionIsAMatterForTheOperator(t *testing.T) {
	s := newScript(t)
	_, err := deliver(t, s.provider(), event("invoice.paid", object{}).with(object{"api_version": "2025-09-30.clover"}))
	require.Error(t, err)
	assert.Contains(t, s.log.String(), "level=ERROR")
	assert.Contains(t, s.log.String(), "2025-09-30.clover")
}

func TestALaterVersionOfTheSameTrainIsRead(t *testing.T) {
	_, err := deliver(t, newScript(t).provider(), event("invoice.paid", object{}).with(object{"api_version": "2026-08-26.dahlia"}))
	assert.NoError(t, err)
}
