package stripepayment_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// newEvent returns an event about an object.
func newEvent(kind string, about object) object {
	return object{
		"id": "evt_1", "object": "event", "api_version": stripe.APIVersion, "created": noon.Unix(), "type": kind,
		"livemode": false, "pending_webhooks": 1, "request": object{"id": "req_1", "idempotency_key": nil},
		"data": object{"object": about},
	}
}

// deliver signs the event and parses it.
func deliver(t *testing.T, p *stripepayment.Provider, e object) (payment.Event, error) {
	t.Helper()
	payload, err := json.Marshal(e)
	require.NoError(t, err)
	return parseEvent(t, p, payload, sign(payload, noon, "whsec_new"))
}

// parseEvent parses a delivery, which contains one event unless it is refused.
func parseEvent(t *testing.T, p payment.Events, payload []byte, signature string) (payment.Event, error) {
	t.Helper()
	events, err := p.ParseEvents(t.Context(), signedDelivery(payload, signature))
	if err != nil {
		return payment.Event{}, err
	}
	require.Len(t, events, 1)
	return events[0], nil
}

func signedDelivery(payload []byte, signature string) payment.Delivery {
	return payment.Delivery{Header: http.Header{"Stripe-Signature": {signature}}, Body: payload}
}

func sign(payload []byte, at time.Time, secret string) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: payload, Secret: secret,
		Timestamp: at}).Header
}

func paidInvoiceEvent(t *testing.T) []byte {
	t.Helper()
	payload, err := json.Marshal(newEvent("invoice.paid", object{"id": "in_1", "object": "invoice"}))
	require.NoError(t, err)
	return payload
}

func TestParseEvents_ClassifiesEvents(t *testing.T) {
	ofSubscription := object{"id": "in_1", "object": "invoice", "customer": "cus_1",
		"parent": object{"type": "subscription_details",
			"subscription_details": object{"subscription": "sub_1", "metadata": object{}}}}
	subscription := object{"id": "sub_1", "object": "subscription", "customer": "cus_1", "status": "active"}
	for name, c := range map[string]struct {
		about        object
		kind         payment.EventKind
		customer     string
		subscription string
		invoice      string
	}{
		"customer.subscription.created": {subscription, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"customer.subscription.deleted": {subscription, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"customer.subscription.trial_will_end": {subscription.with(object{"customer": customer}),
			payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"invoice.paid":                    {ofSubscription, payment.SubscriptionChanged, "cus_1", "sub_1", "in_1"},
		"invoice.payment_action_required": {ofSubscription, payment.SubscriptionChanged, "cus_1", "sub_1", "in_1"},
		"invoice.upcoming": {ofSubscription.with(object{"id": nil}), payment.SubscriptionChanged,
			"cus_1", "sub_1", ""},
		"invoice.payment_failed": {object{"id": "in_2", "object": "invoice", "customer": "cus_1",
			"parent": nil}, payment.Other, "cus_1", "", "in_2"},
		"customer.created": {customer, payment.CustomerChanged, "cus_1", "", ""},
		"customer.updated": {customer, payment.CustomerChanged, "cus_1", "", ""},
		"customer.deleted": {customer.with(object{"deleted": true}), payment.CustomerDeleted, "cus_1",
			"", ""},
		"customer.discount.created": {object{"id": "di_1", "object": "discount", "customer": "cus_1",
			"subscription": nil}, payment.CustomerChanged, "cus_1", "", ""},
		"customer.tax_id.created": {object{"id": "txi_1", "object": "tax_id", "customer": "cus_1"},
			payment.Other, "cus_1", "", ""},
		"customer.subscription.paused": {subscription, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"subscription_schedule.updated": {object{"id": "sub_sched_1", "object": "subscription_schedule",
			"customer": "cus_1", "subscription": "sub_1"}, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"subscription_schedule.released": {object{"id": "sub_sched_1", "object": "subscription_schedule",
			"customer": "cus_1", "subscription": nil}, payment.Other, "cus_1", "", ""},
		"invoice.voided": {ofSubscription, payment.SubscriptionChanged, "cus_1", "sub_1", "in_1"},
		"credit_note.created": {object{"id": "cn_1", "object": "credit_note", "customer": "cus_1",
			"invoice": "in_1"}, payment.CustomerChanged, "cus_1", "", "in_1"},
		"payment_method.attached":              {card("pm_1"), payment.CustomerChanged, "cus_1", "", ""},
		"payment_method.updated":               {card("pm_1"), payment.CustomerChanged, "cus_1", "", ""},
		"payment_method.automatically_updated": {card("pm_1"), payment.CustomerChanged, "cus_1", "", ""},
		"setup_intent.setup_failed": {object{"id": "seti_1", "object": "setup_intent", "customer": "cus_1"},
			payment.CustomerChanged, "cus_1", "", ""},
		"setup_intent.succeeded": {object{"id": "seti_1", "object": "setup_intent", "customer": "cus_1"},
			payment.CustomerChanged, "cus_1", "", ""},
		"payment_intent.succeeded": {object{"id": "pi_1", "object": "payment_intent", "customer": "cus_1"},
			payment.Other, "cus_1", "", ""},
		"invoice_payment.paid": {object{"id": "inpay_1", "object": "invoice_payment", "invoice": "in_1"},
			payment.Other, "", "", ""},
		"price.updated": {price("standard_yearly", 1, 1), payment.Other, "", "", ""},
		"something.new": {object{"object": "novelty"}, payment.Other, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := payment.Event{
				ID: "evt_1", Kind: c.kind, Type: name, CustomerID: c.customer, SubscriptionID: c.subscription,
				CreatedAt: noon,
			}
			if c.invoice != "" {
				want.InvoiceIDs = []string{c.invoice}
			}

			got, err := deliver(t, newStub(t).provider(), newEvent(name, c.about))

			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestParseEvents_DetachedCardNamesItsCustomer(t *testing.T) {
	e := newEvent("payment_method.detached", nil)
	e["data"] = object{"object": card("pm_1").with(object{"customer": nil}),
		"previous_attributes": object{"customer": "cus_1"}}
	got, err := deliver(t, newStub(t).provider(), e)
	require.NoError(t, err)
	assert.Equal(t, "cus_1", got.CustomerID)
	assert.Equal(t, payment.CustomerChanged, got.Kind)
}

func TestParseEvents_RefusesMalformedEvents(t *testing.T) {
	whole := newEvent("invoice.paid", object{"object": "invoice"})
	for name, e := range map[string]object{
		"empty":           {},
		"another object":  whole.with(object{"object": "invoice"}),
		"without an id":   whole.with(object{"id": ""}),
		"without a type":  whole.with(object{"type": ""}),
		"without data":    whole.with(object{"data": nil}),
		"without object":  whole.with(object{"data": object{}}),
		"object is an id": whole.with(object{"data": object{"object": "in_1"}}),
		"thin event": {"id": "evt_1", "object": "v2.core.event",
			"type": "v1.billing.meter.no_meter_found"},
		"old API version":                whole.with(object{"api_version": "2020-08-27"}),
		"API version of another release": whole.with(object{"api_version": "2025-09-30.clover"}),
		"no API version":                 whole.with(object{"api_version": nil}),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := deliver(t, newStub(t).provider(), e)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		})
	}
}

func TestParseEvents_LogsAnotherAPIVersion(t *testing.T) {
	s := newStub(t)
	_, err := deliver(t, s.provider(), newEvent("invoice.paid", object{}).with(object{"api_version": "2025-09-30.clover"}))
	require.Error(t, err)
	assert.Contains(t, s.log.String(), "level=ERROR")
	assert.Contains(t, s.log.String(), "2025-09-30.clover")
}

func TestParseEvents_AcceptsALaterVersionOfTheSameRelease(t *testing.T) {
	_, err := deliver(t, newStub(t).provider(),
		newEvent("invoice.paid", object{}).with(object{"api_version": "2026-08-26.dahlia"}))
	assert.NoError(t, err)
}

func TestParseEvents_EitherSecretSigns(t *testing.T) {
	payload, p := paidInvoiceEvent(t), newStub(t).provider()
	for secret, want := range map[string]fault.Code{
		"whsec_new": "", "whsec_old": "", "whsec_older": fault.Forbidden, "": fault.Forbidden,
	} {
		_, err := parseEvent(t, p, payload, sign(payload, noon, secret))
		assert.Equal(t, want, fault.CodeOf(err), "%q", secret)
	}
	both := sign(payload, noon, "whsec_other") + "," + sign(payload, noon, "whsec_new")
	_, err := parseEvent(t, p, payload, both)
	assert.NoError(t, err, "Stripe sends one for each secret while one replaces the other")
}

func TestParseEvents_IgnoresAnUnsignedTimestamp(t *testing.T) {
	payload, p := paidInvoiceEvent(t), newStub(t).provider()
	old := sign(payload, noon.Add(-time.Hour), "whsec_new")
	fresh := "t=" + "1772366400"
	for _, forged := range []string{fresh + "," + old, old + "," + fresh, old[len("t=1772362800,"):]} {
		_, err := parseEvent(t, p, payload, forged)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err), forged)
	}
}

func TestParseEvents_WithoutSecretsRefusesAll(t *testing.T) {
	payload := paidInvoiceEvent(t)
	p := newStub(t).provider(func(c *stripepayment.Config) { c.WebhookSecrets = nil })
	_, err := parseEvent(t, p, payload, sign(payload, noon, ""))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
}

// readPublished reads one of the files that Stripe publishes with stripe-mock. The module is downloaded
// if necessary.
func readPublished(t *testing.T, name string, out any) {
	t.Helper()
	var module struct{ Dir string }
	downloaded := runGo(t, "mod", "download", "-modfile=../../tools/go.mod", "-json", "github.com/stripe/stripe-mock")
	require.NoError(t, json.Unmarshal([]byte(downloaded), &module))
	text, err := os.ReadFile(filepath.Join(module.Dir, "embedded", "openapi", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, out))
}

// fixtures returns Stripe's example of every object.
func fixtures(t *testing.T) map[string]object {
	t.Helper()
	var file struct {
		Resources map[string]object `json:"resources"`
	}
	readPublished(t, "fixtures3.json", &file)
	require.NotEmpty(t, file.Resources)
	return file.Resources
}

// eventTypes returns every event type that an endpoint can subscribe to.
func eventTypes(t *testing.T) []string {
	t.Helper()
	var file struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Properties map[string]struct {
							Items struct {
								Enum []string `json:"enum"`
							} `json:"items"`
						} `json:"properties"`
					} `json:"schema"`
				} `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
	}
	readPublished(t, "spec3.json", &file)
	form := file.Paths["/v1/webhook_endpoints"]["post"].RequestBody.Content["application/x-www-form-urlencoded"]
	types := form.Schema.Properties["enabled_events"].Items.Enum
	require.NotEmpty(t, types)
	return types
}

// resourceOf returns the type of object that the event is about.
func resourceOf(name string) string {
	kind := name[:max(strings.LastIndex(name, "."), 0)]
	if kind == "customer.subscription" {
		return "subscription"
	}
	return kind
}

func TestParseEvents_ReadsAPublishedEvent(t *testing.T) {
	known := fixtures(t)["event"].with(object{"api_version": stripe.APIVersion})
	got, err := deliver(t, newStub(t).provider(), known)
	require.NoError(t, err)
	assert.Equal(t, payment.Other, got.Kind)
	assert.Equal(t, "plan.created", got.Type)
	assert.Equal(t, known["id"], got.ID)
}

// TestParseEvents_AcceptsEveryPublishedType parses an event of every published type about Stripe's example
// of its object.
func TestParseEvents_AcceptsEveryPublishedType(t *testing.T) {
	p, all := newStub(t).provider(), fixtures(t)
	for _, name := range eventTypes(t) {
		about, known := all[resourceOf(name)]
		if name == "*" || !known {
			about = all["customer"]
		}
		got, err := deliver(t, p, newEvent(name, about))
		require.NoError(t, err, name)
		assert.Equal(t, name, got.Type)
		switch {
		case strings.HasPrefix(name, "customer.subscription."):
			assert.Equal(t, payment.SubscriptionChanged, got.Kind, name)
			assert.Equal(t, about["id"], got.SubscriptionID, name)
			assert.Equal(t, about["customer"], got.CustomerID, name)
		case strings.HasPrefix(name, "payment_method."), name == "customer.updated":
			assert.Equal(t, payment.CustomerChanged, got.Kind, name)
		}
	}
}

// TestParseEvents_AcceptsEveryPublishedObject parses events about every published object.
func TestParseEvents_AcceptsEveryPublishedObject(t *testing.T) {
	p := newStub(t).provider()
	for name, about := range fixtures(t) {
		_, err := deliver(t, p, newEvent("something.happened", about))
		assert.NoError(t, err, name)
	}
}

// A signed payload is an event with an id and a kind, or Invalid; any other payload is Forbidden.
func FuzzParseEvents(f *testing.F) {
	provider, err := stripepayment.New(stripepayment.Config{
		SecretKey: testKey, WebhookSecrets: []string{"whsec_new"}, Catalogue: catalogue.Default(), Clock: fixedClock{},
	})
	require.NoError(f, err)
	for _, e := range []object{
		newEvent("customer.subscription.updated", object{"id": "sub_1", "object": "subscription", "customer": "cus_1"}),
		newEvent("invoice.paid", object{"id": "in_1", "object": "invoice", "customer": nil, "parent": nil}),
		newEvent("payment_method.detached",
			object{"id": "pm_1", "object": "payment_method", "customer": object{"id": "cus_1"}}),
		newEvent("customer.deleted", object{}), newEvent("", nil), {}, {"object": "event"},
	} {
		payload, err := json.Marshal(e)
		require.NoError(f, err)
		f.Add(payload, "")
	}
	f.Add([]byte(`null`), "t=,v1=")
	f.Fuzz(func(t *testing.T, payload []byte, signature string) {
		_, err := parseEvent(t, provider, payload, signature)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err))

		event, err := parseEvent(t, provider, payload, sign(payload, noon, "whsec_new"))
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		assert.NotEmpty(t, event.ID)
		assert.NotEmpty(t, event.Kind)
		assert.Equal(t, time.UTC, event.CreatedAt.Location())
	})
}
