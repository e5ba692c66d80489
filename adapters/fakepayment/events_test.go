package fakepayment_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestEvents_AreDeliveredInTheOrderOfTheChanges(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, authenticationCard)
	s := subscribe(t, e.Provider, customerID, "standard_yearly", 7)
	e.confirm(t, s.PendingSetup.ClientSecret, true)
	e.advanceTo(t, date(2026, 3, 9))
	c, err := e.Customer(t.Context(), customerID)
	require.NoError(t, err)
	require.NoError(t, e.DeleteCard(t.Context(), payment.SavedCardRequest{
		Key: newKey(), CustomerID: customerID, MethodID: c.Default.ID,
	}))
	_, err = e.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: s.ID})
	require.NoError(t, err)
	require.NoError(t, e.DeleteCustomer(t.Context(), customerID))

	assert.Equal(t, []string{
		"payment_method.attached", "customer.updated",
		"customer.updated", "customer.subscription.created", "invoice.paid", "customer.subscription.updated",
		"setup_intent.succeeded", "customer.subscription.updated",
		"customer.subscription.updated", "invoice.paid",
		"payment_method.detached", "customer.updated",
		"customer.subscription.deleted",
		"customer.deleted",
	}, e.eventTypes(t))
}

func TestEvents_ReportFailedAndUnauthenticatedPayments(t *testing.T) {
	e := newEnv(t)
	subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 0)
	subscribe(t, e.Provider, newCustomer(t, e.Provider, cardDeclinedWhenCharged), "standard_yearly", 0)
	types := e.eventTypes(t)
	assert.Contains(t, types, "invoice.payment_action_required")
	assert.Contains(t, types, "invoice.payment_failed")
}

func TestEvents_HaveStripesFormat(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	s := subscribe(t, e.Provider, customerID, "standard_yearly", 0)
	require.NoError(t, e.Drain(t.Context()))

	objects := map[string]map[string]any{}
	for _, d := range e.allDeliveries(t) {
		var body map[string]any
		require.NoError(t, json.Unmarshal(d.Body, &body))
		assert.Equal(t, "event", body["object"])
		assert.Regexp(t, "^evt_", body["id"])
		assert.EqualValues(t, noon.Unix(), body["created"])
		assert.NotContains(t, string(d.Body), "secret")
		objects[body["type"].(string)] = body["data"].(map[string]any)["object"].(map[string]any)
	}

	created := float64(noon.Unix())
	assert.Equal(t, map[string]any{
		"id": s.ID, "object": "subscription", "created": created, "customer": customerID, "status": "active",
	}, objects["customer.subscription.updated"])
	assert.Equal(t, map[string]any{
		"id": s.LatestInvoice.ID, "object": "invoice", "created": created, "customer": customerID, "status": "paid",
		"parent": map[string]any{"type": "subscription_details", "subscription_details": map[string]any{"subscription": s.ID}},
		"total":  42000.0, "amount_due": 42000.0,
	}, objects["invoice.paid"])
	assert.Equal(t, map[string]any{"id": customerID, "object": "customer", "created": created}, objects["customer.updated"])
	assert.Equal(t, customerID, objects["payment_method.attached"]["customer"])
}

func TestParseEvents_DerivesTheKindFromTheType(t *testing.T) {
	e := newEnv(t)
	for eventType, want := range map[string]payment.EventKind{
		"customer.subscription.updated": payment.SubscriptionChanged, "customer.subscription.trial_will_end": payment.SubscriptionChanged,
		"invoice.upcoming": payment.SubscriptionChanged, "customer.created": payment.CustomerChanged,
		"customer.updated": payment.CustomerChanged, "payment_method.detached": payment.CustomerChanged,
		"customer.deleted": payment.CustomerDeleted, "setup_intent.succeeded": payment.OtherEvent,
		"charge.refunded": payment.SubscriptionChanged, "charge.dispute.created": payment.SubscriptionChanged,
		"charge.succeeded": payment.OtherEvent, "customer.source.created": payment.OtherEvent,
	} {
		payload := []byte(`{"id":"evt_1","object":"event","type":"` + eventType + `","data":{"object":{"id":"x","object":"invoice"}}}`)
		event, err := parseEvent(t, e, payload, fakepayment.Sign(payload, noon, testSecret))
		require.NoError(t, err)
		assert.Equal(t, want, event.Kind, eventType)
		assert.Empty(t, event.SubscriptionID, "the invoice has no subscription")
	}
}

// As at Stripe, previous_attributes contains the former customer.
func TestEvents_DetachedCardNamesFormerCustomer(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	card := addCard(t, e.Provider, customerID, visa)
	require.NoError(t, e.DeleteCard(t.Context(), payment.SavedCardRequest{
		Key: newKey(), CustomerID: customerID, MethodID: card.ID,
	}))
	require.NoError(t, e.Drain(t.Context()))

	for _, d := range e.allDeliveries(t) {
		event, err := parseEvent(t, e, d.Body, d.Header.Get(fakepayment.SignatureHeader))
		require.NoError(t, err)
		if event.Type == "payment_method.detached" {
			assert.Equal(t, payment.CustomerChanged, event.Kind)
			assert.Equal(t, customerID, event.CustomerID)
			assert.Contains(t, string(d.Body), `"id":"`+card.ID+`","object":"payment_method"`)
			assert.Contains(t, string(d.Body), `"previous_attributes":{"customer":"`+customerID+`"}`)
			assert.Contains(t, string(d.Body), `"api_version":"2026-03-25.dahlia"`)
			return
		}
	}
	assert.Fail(t, "no payment_method.detached event")
}

// FuzzParseEvents checks that a signed payload is rejected or yields a complete event.
func FuzzParseEvents(f *testing.F) {
	provider := newEventProvider(f)
	for _, seed := range []string{
		``, `null`, `{}`, `{"object": "event", "id": "evt_1", "type": "customer.deleted", "data": {"object": {"id": "cus_1"}}}`,
		`{"object": "event", "id": "evt_1", "type": "invoice.paid", "data": {"object": {"object": "invoice", "parent": null}}}`,
		`{"object": "event", "id": 1, "type": "x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		event, err := parseEvent(t, provider, payload, fakepayment.Sign(payload, noon, testSecret))
		if err != nil {
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		assert.NotEmpty(t, event.ID)
		assert.NotEmpty(t, event.Kind)
		assert.Equal(t, time.UTC, event.CreatedAt.Location())
	})
}
