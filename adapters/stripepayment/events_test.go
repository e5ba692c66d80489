package stripepayment_test

import (
	"encoding/json"
	"net/http"
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

// newEvent returns an event of the type about the subject.
func newEvent(eventType string, subject object) object {
	return object{
		"id": "evt_1", "object": "event", "api_version": stripe.APIVersion, "created": noon.Unix(), "type": eventType,
		"livemode": false, "pending_webhooks": 1, "request": object{"id": "req_1", "idempotency_key": nil},
		"data": object{"object": subject},
	}
}

// signAndParse signs the event and parses it.
func signAndParse(t *testing.T, p *stripepayment.Provider, e object) (payment.Event, error) {
	t.Helper()
	payload, err := json.Marshal(e)
	require.NoError(t, err)
	return parseEvent(t, p, payload, sign(payload, noon, "whsec_new"))
}

// parseEvent parses a delivery and returns its only event.
func parseEvent(t *testing.T, p payment.Events, payload []byte, signature string) (payment.Event, error) {
	t.Helper()
	events, err := p.ParseEvents(t.Context(), newDelivery(payload, signature))
	if err != nil {
		return payment.Event{}, err
	}
	require.Len(t, events, 1)
	return events[0], nil
}

func newDelivery(payload []byte, signature string) payment.Delivery {
	return payment.Delivery{Header: http.Header{"Stripe-Signature": {signature}}, Body: payload}
}

func sign(payload []byte, signedAt time.Time, secret string) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: payload, Secret: secret,
		Timestamp: signedAt}).Header
}

func paidInvoicePayload(t *testing.T) []byte {
	t.Helper()
	payload, err := json.Marshal(newEvent("invoice.paid", object{"id": "in_1", "object": "invoice"}))
	require.NoError(t, err)
	return payload
}

func TestParseEvents_ClassifiesEvents(t *testing.T) {
	subscriptionInvoice := object{"id": "in_1", "object": "invoice", "customer": "cus_1",
		"parent": object{"type": "subscription_details",
			"subscription_details": object{"subscription": "sub_1", "metadata": object{}}}}
	subscription := object{"id": "sub_1", "object": "subscription", "customer": "cus_1", "status": "active"}
	for name, c := range map[string]struct {
		subject      object
		kind         payment.EventKind
		customer     string
		subscription string
		invoice      string
	}{
		"customer.subscription.created": {subscription, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"customer.subscription.deleted": {subscription, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"customer.subscription.trial_will_end": {subscription.withFields(object{"customer": customer}),
			payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"invoice.paid":                    {subscriptionInvoice, payment.SubscriptionChanged, "cus_1", "sub_1", "in_1"},
		"invoice.payment_action_required": {subscriptionInvoice, payment.SubscriptionChanged, "cus_1", "sub_1", "in_1"},
		"invoice.upcoming": {subscriptionInvoice.withFields(object{"id": nil}), payment.SubscriptionChanged,
			"cus_1", "sub_1", ""},
		"invoice.payment_failed": {object{"id": "in_2", "object": "invoice", "customer": "cus_1",
			"parent": nil}, payment.OtherEvent, "cus_1", "", "in_2"},
		"customer.created": {customer, payment.CustomerChanged, "cus_1", "", ""},
		"customer.updated": {customer, payment.CustomerChanged, "cus_1", "", ""},
		"customer.deleted": {customer.withFields(object{"deleted": true}), payment.CustomerDeleted, "cus_1",
			"", ""},
		"customer.discount.created": {object{"id": "di_1", "object": "discount", "customer": "cus_1",
			"subscription": nil}, payment.CustomerChanged, "cus_1", "", ""},
		"customer.tax_id.created": {object{"id": "txi_1", "object": "tax_id", "customer": "cus_1"},
			payment.OtherEvent, "cus_1", "", ""},
		"customer.subscription.paused": {subscription, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"subscription_schedule.updated": {object{"id": "sub_sched_1", "object": "subscription_schedule",
			"customer": "cus_1", "subscription": "sub_1"}, payment.SubscriptionChanged, "cus_1", "sub_1", ""},
		"subscription_schedule.released": {object{"id": "sub_sched_1", "object": "subscription_schedule",
			"customer": "cus_1", "subscription": nil}, payment.OtherEvent, "cus_1", "", ""},
		"invoice.voided": {subscriptionInvoice, payment.SubscriptionChanged, "cus_1", "sub_1", "in_1"},
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
			payment.OtherEvent, "cus_1", "", ""},
		"invoice_payment.paid": {object{"id": "inpay_1", "object": "invoice_payment", "invoice": "in_1"},
			payment.OtherEvent, "", "", ""},
		"price.updated": {price("standard_yearly", 1, 1), payment.OtherEvent, "", "", ""},
		"something.new": {object{"object": "novelty"}, payment.OtherEvent, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := payment.Event{
				ID: "evt_1", Kind: c.kind, Type: name, CustomerID: c.customer, SubscriptionID: c.subscription,
				CreatedAt: noon,
			}
			if c.invoice != "" {
				want.InvoiceIDs = []string{c.invoice}
			}

			parsedEvent, err := signAndParse(t, newStub(t).provider(), newEvent(name, c.subject))

			require.NoError(t, err)
			assert.Equal(t, want, parsedEvent)
		})
	}
}

func TestParseEvents_DetachedCardEventNamesTheFormerCustomer(t *testing.T) {
	e := newEvent("payment_method.detached", nil)
	e["data"] = object{"object": card("pm_1").withFields(object{"customer": nil}),
		"previous_attributes": object{"customer": "cus_1"}}
	parsedEvent, err := signAndParse(t, newStub(t).provider(), e)
	require.NoError(t, err)
	assert.Equal(t, "cus_1", parsedEvent.CustomerID)
	assert.Equal(t, payment.CustomerChanged, parsedEvent.Kind)
}

func TestParseEvents_RefusesMalformedEvents(t *testing.T) {
	validEvent := newEvent("invoice.paid", object{"object": "invoice"})
	for name, e := range map[string]object{
		"empty":           {},
		"another object":  validEvent.withFields(object{"object": "invoice"}),
		"without an id":   validEvent.withFields(object{"id": ""}),
		"without a type":  validEvent.withFields(object{"type": ""}),
		"without data":    validEvent.withFields(object{"data": nil}),
		"without object":  validEvent.withFields(object{"data": object{}}),
		"object is an id": validEvent.withFields(object{"data": object{"object": "in_1"}}),
		"thin event": {"id": "evt_1", "object": "v2.core.event",
			"type": "v1.billing.meter.no_meter_found"},
		"earlier API version":            validEvent.withFields(object{"api_version": "2020-08-27"}),
		"API version of another release": validEvent.withFields(object{"api_version": "2025-09-30.clover"}),
		"no API version":                 validEvent.withFields(object{"api_version": nil}),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := signAndParse(t, newStub(t).provider(), e)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		})
	}
}

func TestParseEvents_LogsAnotherAPIVersionAsError(t *testing.T) {
	s := newStub(t)
	_, err := signAndParse(t, s.provider(), newEvent("invoice.paid",
		object{}).withFields(object{"api_version": "2025-09-30.clover"}))
	require.Error(t, err)
	assert.Contains(t, s.log.String(), "level=ERROR")
	assert.Contains(t, s.log.String(), "2025-09-30.clover")
}

func TestParseEvents_AcceptsALaterVersionOfTheSameRelease(t *testing.T) {
	_, err := signAndParse(t, newStub(t).provider(),
		newEvent("invoice.paid", object{}).withFields(object{"api_version": "2026-08-26.dahlia"}))
	assert.NoError(t, err)
}

// Stripe's events about invoices contain the lines.
func TestParseEvents_SendsNoRequestForAPaidInvoiceWithoutDeductions(t *testing.T) {
	s := newStub(t)
	_, err := signAndParse(t, s.provider(), newEvent("invoice.paid", paidInvoice))
	require.NoError(t, err)
	assert.Empty(t, s.routes())
}

func TestParseEvents_AcceptsASignatureWithEitherSecret(t *testing.T) {
	payload, p := paidInvoicePayload(t), newStub(t).provider()
	for secret, want := range map[string]fault.Code{
		"whsec_new": "", "whsec_old": "", "whsec_older": fault.Forbidden, "": fault.Forbidden,
	} {
		_, err := parseEvent(t, p, payload, sign(payload, noon, secret))
		assert.Equal(t, want, fault.CodeOf(err), "%q", secret)
	}
	signatures := sign(payload, noon, "whsec_other") + "," + sign(payload, noon, "whsec_new")
	_, err := parseEvent(t, p, payload, signatures)
	assert.NoError(t, err, "Stripe sends a signature for each secret while one replaces the other")
}

func TestParseEvents_RefusesAnOldSignatureWithAFreshTimestamp(t *testing.T) {
	payload, p := paidInvoicePayload(t), newStub(t).provider()
	oldSignature := sign(payload, noon.Add(-time.Hour), "whsec_new")
	freshTimestamp := "t=1772366400"
	signatureWithoutTimestamp := oldSignature[len("t=1772362800,"):]
	for _, signature := range []string{
		freshTimestamp + "," + oldSignature, oldSignature + "," + freshTimestamp, signatureWithoutTimestamp,
	} {
		_, err := parseEvent(t, p, payload, signature)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err), signature)
	}
}

func TestParseEvents_RefusesEverySignatureWithoutASecret(t *testing.T) {
	payload := paidInvoicePayload(t)
	p := newStub(t).provider(func(c *stripepayment.Config) { c.WebhookSecrets = nil })
	_, err := parseEvent(t, p, payload, sign(payload, noon, ""))
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
}

// ParseEvents returns Invalid, or an event with an id and a kind, for a signed payload. It returns Forbidden for a
// payload with another signature.
func FuzzParseEvents(f *testing.F) {
	provider, err := stripepayment.New(stripepayment.Config{
		SecretKey: testAPIKey, WebhookSecrets: []string{"whsec_new"}, Catalogue: catalogue.Default(), Clock: fixedClock{},
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

func TestParseEvents_WarnsOnceAboutThinEventsAndConnectedAccounts(t *testing.T) {
	thinEvent := object{
		"id": "evt_2", "object": "v2.core.event", "type": "v1.billing.meter.no_meter_found", "livemode": false,
		"created": "2026-11-27T00:00:00.000Z", "context": nil, "related_object": nil,
	}
	connectEvent := newEvent("invoice.paid", object{"id": "in_1", "object": "invoice"}).withFields(object{"account": "acct_2"})
	s := newStub(t)
	p := s.provider()
	for range 2 {
		_, err := signAndParse(t, p, thinEvent)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		payload, err := json.Marshal(connectEvent)
		require.NoError(t, err)
		events, err := p.ParseEvents(t.Context(), newDelivery(payload, sign(payload, noon, "whsec_new")))
		require.NoError(t, err)
		assert.Empty(t, events)
	}
	assert.Empty(t, s.routes(), "nothing is read from Stripe")
	for _, text := range []string{"sends thin events", "sends events of connected accounts"} {
		assert.Equal(t, 1, strings.Count(s.log.String(), text))
	}
	assert.Equal(t, 2, strings.Count(s.log.String(), "level=WARN"))
}
