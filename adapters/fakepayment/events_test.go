package fakepayment_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/ports/payment"
)

// told is every event so far, once all of them have been delivered.
func (w *world) told(t *testing.T) []payment.Event {
	t.Helper()
	require.NoError(t, w.Drain(t.Context()))
	var all []payment.Event
	for _, d := range w.delivered(t) {
		e, err := w.ParseEvent(d.Payload, fakepayment.Sign(d.Payload, w.clock.Now(), ourSecret))
		require.NoError(t, err)
		all = append(all, e)
	}
	return all
}

func (w *world) toldTypes(t *testing.T) []string {
	t.Helper()
	var types []string
	for _, e := range w.told(t) {
		types = append(types, e.Type)
	}
	return types
}

func TestEventsTellWhatHappenedInItsOrder(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, asking)
	s := subscribe(t, w.Provider, customerID, "standard_yearly", 7)
	w.confirm(t, s.PendingSetup.ClientSecret, true)
	w.until(t, at(2026, 3, 9))
	c, err := w.Customer(t.Context(), customerID)
	require.NoError(t, err)
	require.NoError(t, w.DeleteCard(t.Context(), payment.SavedCard{Key: newKey(), CustomerID: customerID, CardID: c.Default.ID}))
	_, err = w.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: s.ID})
	require.NoError(t, err)
	w.deleteCustomer(t, customerID)

	assert.Equal(t, []string{
		"payment_method.attached", "customer.updated",
		"customer.updated", "customer.subscription.created", "invoice.paid", "customer.subscription.updated",
		"setup_intent.succeeded", "customer.subscription.updated",
		"customer.subscription.updated", "invoice.paid",
		"payment_method.detached", "customer.updated",
		"customer.subscription.deleted",
		"customer.deleted",
	}, w.toldTypes(t))
}

func TestEventsTellOfPaymentsThatWait(t *testing.T) {
	w := newWorld(t)
	subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 0)
	subscribe(t, w.Provider, payer(t, w.Provider, declining), "standard_yearly", 0)
	types := w.toldTypes(t)
	assert.Contains(t, types, "invoice.payment_action_required")
	assert.Contains(t, types, "invoice.payment_failed")
}

func TestAnEventHasTheShapeOfStripes(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, good)
	s := subscribe(t, w.Provider, customerID, "standard_yearly", 0)
	require.NoError(t, w.Drain(t.Context()))

	seen := map[string]map[string]any{}
	for _, d := range w.delivered(t) {
		var e map[string]any
		require.NoError(t, json.Unmarshal(d.Payload, &e))
		assert.Equal(t, "event", e["object"])
		assert.Regexp(t, "^evt_", e["id"])
		assert.EqualValues(t, noon.Unix(), e["created"])
		assert.NotContains(t, string(d.Payload), "secret")
		seen[e["type"].(string)] = e["data"].(map[string]any)["object"].(map[string]any)
	}

	assert.Equal(t, map[string]any{"id": s.ID, "object": "subscription", "customer": customerID, "status": "active"},
		seen["customer.subscription.updated"])
	assert.Equal(t, map[string]any{
		"id": s.LatestInvoice.ID, "object": "invoice", "customer": customerID, "status": "paid",
		"parent": map[string]any{"type": "subscription_details", "subscription_details": map[string]any{"subscription": s.ID}},
	}, seen["invoice.paid"])
	assert.Equal(t, map[string]any{"id": customerID, "object": "customer"}, seen["customer.updated"])
	assert.Equal(t, customerID, seen["payment_method.attached"]["customer"])
}

func TestEventsAreSortedByTheirNames(t *testing.T) {
	w := newWorld(t)
	for name, want := range map[string]payment.EventKind{
		"customer.subscription.updated": payment.SubscriptionChanged, "customer.subscription.trial_will_end": payment.SubscriptionChanged,
		"invoice.upcoming": payment.SubscriptionChanged, "customer.created": payment.CustomerChanged,
		"customer.updated": payment.CustomerChanged, "payment_method.detached": payment.CustomerChanged,
		"customer.deleted": payment.CustomerDeleted, "setup_intent.succeeded": payment.Other,
		"charge.refunded": payment.Other, "customer.source.created": payment.Other,
	} {
		payload := []byte(`{"id":"evt_1","object":"event","type":"` + name + `","data":{"object":{"id":"x","object":"invoice"}}}`)
		e, err := w.ParseEvent(payload, fakepayment.Sign(payload, noon, ourSecret))
		require.NoError(t, err)
		assert.Equal(t, want, e.Kind, name)
		assert.Empty(t, e.SubscriptionID, "an invoice of no subscription")
	}
}
