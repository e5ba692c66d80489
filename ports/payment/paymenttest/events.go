package paymenttest

import (
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var eventBehaviours = []behaviour{
	{name: "a saved card causes an event", needs: pushedEvents, check: func(t *env) {
		c := t.customerWithMethod(Pays)
		t.waitForEvent(payment.CustomerChanged, c.ID, "")
	}},
	{name: "a subscription causes events when it starts, changes and ends", needs: pushedEvents, check: func(t *env) {
		c := t.payingCustomer()
		s := t.subscribe(c.ID, t.availableTrialDays())
		startIDs := t.waitForEvent(payment.SubscriptionChanged, c.ID, s.ID)
		_, err := t.changePlan(s, professional)
		require.NoError(t, err)
		changeIDs := t.waitForNewEvent(startIDs, payment.SubscriptionChanged, c.ID, s.ID)
		t.cancel(s.ID)
		t.waitForNewEvent(changeIDs, payment.SubscriptionChanged, c.ID, s.ID)
	}},
	{name: "a payment in the browser causes an event", needs: pushedEvents, check: func(t *env) {
		s := t.subscriptionToConfirm()
		eventIDs := t.waitForEvent(payment.SubscriptionChanged, s.CustomerID, s.ID)
		t.confirmPayment(s.LatestInvoice.Payment.ClientSecret, true)
		t.waitForNewEvent(eventIDs, payment.SubscriptionChanged, s.CustomerID, s.ID)
	}},
	{name: "a refund causes an event with the id of the invoice", needs: pushedEvents, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		eventIDs := t.waitForInvoiceEvent(nil, s)
		_, err := t.refund(s, 100)
		require.NoError(t, err)
		t.waitForInvoiceEvent(eventIDs, s)
	}},
	{name: "a dispute causes an event with the id of the invoice", needs: pushedEvents, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		eventIDs := t.waitForInvoiceEvent(nil, s)
		t.dispute(s)
		t.waitForInvoiceEvent(eventIDs, s)
	}},
	{name: "a deleted customer causes an event", needs: pushedEvents, check: func(t *env) {
		c := t.createCustomer()
		t.DeleteCustomer(t.T, c.ID)
		t.waitForEvent(payment.CustomerDeleted, c.ID, "")
	}},
	{name: "an event has an id, a type and a time", needs: pushedEvents, check: func(t *env) {
		start := t.Now()
		c := t.payingCustomer()
		t.subscribe(c.ID, 0)
		t.waitForEvent(payment.SubscriptionChanged, c.ID, "")
		_, isUnsigned := t.missingReason(Signatures)
		for _, e := range t.receivedEvents() {
			assert.Equal(t, isUnsigned, e.Unsigned)
			assert.NotEmpty(t, e.ID)
			assert.NotEmpty(t, e.Type)
			assert.WithinRange(t, e.CreatedAt, start.Add(-time.Minute), t.Now().Add(time.Minute))
			assert.Equal(t, time.UTC, e.CreatedAt.Location())
		}
	}},
	{name: "every delivery is accepted", needs: pushedEvents, check: func(t *env) {
		// The subscription has a trial: waiting for a payment to settle could take longer than signatures are valid.
		s := t.subscribe(t.payingCustomer().ID, t.availableTrialDays())
		t.waitForEvent(payment.SubscriptionChanged, s.CustomerID, s.ID)
		for _, d := range t.Deliveries(t.T) {
			_, err := t.Provider.ParseEvents(t.Context(), d)
			assert.NoError(t, err)
		}
	}},
	{name: "a repeated delivery has the same id", needs: pushedEvents, check: func(t *env) {
		t.subscribe(t.payingCustomer().ID, 0)
		require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NotEmpty(c, t.Deliveries(t.T)) }, eventTimeout, pollInterval)
		d := t.Deliveries(t.T)[0]
		events, err := t.Provider.ParseEvents(t.Context(), t.sign(d, t.Now()))
		require.NoError(t, err)
		repeatedEvents, err := t.Provider.ParseEvents(t.Context(), t.sign(d, t.Now().Add(-time.Minute)))
		require.NoError(t, err)
		assert.Equal(t, events, repeatedEvents)
	}},
}

const (
	eventTimeout = 2 * time.Minute
	pollInterval = 5 * time.Millisecond
)

// receivedEvents returns the events delivered so far, each once. It signs the deliveries again, because their signatures
// may be outdated.
func (t *env) receivedEvents() []payment.Event {
	var result []payment.Event
	ids := map[string]bool{}
	for _, d := range t.Deliveries(t.T) {
		events, err := t.Provider.ParseEvents(t.Context(), t.sign(d, t.Now()))
		assert.NoError(t, err)
		for _, e := range events {
			if !ids[e.ID] {
				ids[e.ID] = true
				result = append(result, e)
			}
		}
	}
	return result
}

// waitForEvent waits for an event about the customer and the subscription, and returns the ids of all such events.
func (t *env) waitForEvent(kind payment.EventKind, customerID, subscriptionID string) map[string]bool {
	t.Helper()
	return t.waitForNewEvent(nil, kind, customerID, subscriptionID)
}

// waitForNewEvent does the same as waitForEvent, but ignores events with the known ids.
func (t *env) waitForNewEvent(
	knownIDs map[string]bool, kind payment.EventKind, customerID, subscriptionID string,
) map[string]bool {
	t.Helper()
	return t.waitForMatch(knownIDs, string(kind)+" of "+customerID+" "+subscriptionID, func(e payment.Event) bool {
		return e.Kind == kind && e.CustomerID == customerID && (subscriptionID == "" || e.SubscriptionID == subscriptionID)
	})
}

// waitForMatch waits for a matching event that has none of the known ids, and returns the ids of all matching events.
func (t *env) waitForMatch(knownIDs map[string]bool, description string, matches func(payment.Event) bool) map[string]bool {
	t.Helper()
	var ids map[string]bool
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		ids = map[string]bool{}
		for _, e := range t.receivedEvents() {
			if matches(e) {
				ids[e.ID] = true
			}
		}
		assert.Greater(c, len(ids), len(knownIDs), description)
	}, eventTimeout, pollInterval)
	return ids
}

// waitForInvoiceEvent waits for an event about the latest invoice of the subscription. It ignores events with the known
// ids, and returns the ids of all events about the invoice.
func (t *env) waitForInvoiceEvent(knownIDs map[string]bool, s billing.Subscription) map[string]bool {
	t.Helper()
	return t.waitForMatch(knownIDs, "invoice "+s.LatestInvoice.ID, func(e payment.Event) bool {
		return e.CustomerID == s.CustomerID && slices.Contains(e.InvoiceIDs, s.LatestInvoice.ID)
	})
}

var signatureBehaviours = []behaviour{
	{name: "a recent signature is accepted", needs: payment.Webhooks, check: func(t *env) {
		payload := t.eventPayload()
		for _, age := range []time.Duration{0, time.Minute, 290 * time.Second} {
			_, err := t.Provider.ParseEvents(t.Context(), t.Sign(payload, t.Now().Add(-age), CurrentSecret))
			assert.NoError(t, err, "%s old", age)
		}
	}},
	{name: "an outdated signature is Forbidden", needs: payment.Webhooks, check: func(t *env) {
		payload := t.eventPayload()
		if !t.signaturesHaveTime(payload) {
			t.Skip("signatures contain no time")
		}
		for _, age := range []time.Duration{310 * time.Second, time.Hour, 24 * time.Hour} {
			_, err := t.Provider.ParseEvents(t.Context(), t.Sign(payload, t.Now().Add(-age), CurrentSecret))
			t.assertFault(err, fault.Forbidden)
		}
	}},
	{name: "a missing or malformed signature is Forbidden", needs: payment.Webhooks, check: func(t *env) {
		payload := t.eventPayload()
		_, err := t.Provider.ParseEvents(t.Context(), payment.Delivery{Header: http.Header{}, Body: payload})
		t.assertFault(err, fault.Forbidden)
		for name, values := range t.Sign(payload, t.Now(), CurrentSecret).Header {
			validSignature := values[0]
			for _, signature := range []string{
				"", " ", "garbage", ",", "=", "t=,v1=", validSignature[:len(validSignature)-2],
			} {
				_, err := t.Provider.ParseEvents(t.Context(), payment.Delivery{Header: http.Header{name: {signature}}, Body: payload})
				t.assertFault(err, fault.Forbidden)
			}
		}
	}},
	{name: "a signature with a foreign secret is Forbidden", needs: payment.Webhooks, check: func(t *env) {
		payload := t.eventPayload()
		_, err := t.Provider.ParseEvents(t.Context(), t.Sign(payload, t.Now(), ForeignSecret))
		t.assertFault(err, fault.Forbidden)
	}},
	{name: "a signature with a replaced secret is Forbidden", needs: payment.Webhooks, check: func(t *env) {
		payload := t.eventPayload()
		_, err := t.Provider.ParseEvents(t.Context(), t.Sign(payload, t.Now(), ReplacedSecret))
		t.assertFault(err, fault.Forbidden)
	}},
	{name: "a signature of another payload is Forbidden", needs: payment.Webhooks, check: func(t *env) {
		payload := t.eventPayload()
		changedDelivery := t.Sign(payload, t.Now(), CurrentSecret)
		changedDelivery.Body = append([]byte(" "), payload...)
		_, err := t.Provider.ParseEvents(t.Context(), changedDelivery)
		t.assertFault(err, fault.Forbidden)
	}},
	{name: "a payload other than an event is Invalid", needs: payment.Webhooks, check: func(t *env) {
		for _, text := range []string{"", "hello", "null", "[]", "{}", `{"object":"event"}`, `{"id":7}`} {
			_, err := t.Provider.ParseEvents(t.Context(), t.sign(payment.Delivery{Body: []byte(text)}, t.Now()))
			t.assertFault(err, fault.Invalid)
		}
	}},
}

// sign returns the delivery with a signature made at the time. If the provider does not sign, it returns d unchanged.
func (t *env) sign(d payment.Delivery, at time.Time) payment.Delivery {
	t.Helper()
	if _, isUnsigned := t.missingReason(Signatures); isUnsigned {
		return d
	}
	return t.Sign(d.Body, at, CurrentSecret)
}

// signaturesHaveTime reports whether signatures of the payload at different times differ.
func (t *env) signaturesHaveTime(payload []byte) bool {
	t.Helper()
	return !reflect.DeepEqual(t.Sign(payload, t.Now(), CurrentSecret), t.Sign(payload, t.Now().Add(-day), CurrentSecret))
}

// eventPayload returns the payload of an event.
func (t *env) eventPayload() []byte {
	t.Helper()
	t.skipWithout(Signatures)
	t.subscribe(t.payingCustomer().ID, 0)
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NotEmpty(c, t.Deliveries(t.T)) }, eventTimeout, pollInterval)
	return t.Deliveries(t.T)[0].Body
}
