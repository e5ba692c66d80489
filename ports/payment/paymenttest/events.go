package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/payment"
)

var eventProofs = []proof{
	{name: "tell of a card", prove: func(b *bench) {
		c := b.payer(Pays)
		b.told(payment.CustomerChanged, c.ID, "")
	}},
	{name: "tell of a subscription's whole life", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, trialDays)
		first := b.told(payment.SubscriptionChanged, c.ID, s.ID)
		_, err := b.change(s, professional)
		require.NoError(b, err)
		second := b.toldAfter(first, payment.SubscriptionChanged, c.ID, s.ID)
		b.cancel(s.ID)
		b.toldAfter(second, payment.SubscriptionChanged, c.ID, s.ID)
	}},
	{name: "tell of a payment made in the browser", needs: Authentication, prove: func(b *bench) {
		s := b.waiting()
		before := b.told(payment.SubscriptionChanged, s.CustomerID, s.ID)
		b.ConfirmPayment(b.T, s.LatestInvoice.Payment.ClientSecret, true)
		b.toldAfter(before, payment.SubscriptionChanged, s.CustomerID, s.ID)
	}},
	{name: "tell of a deleted customer", prove: func(b *bench) {
		c := b.payer(Pays)
		b.DeleteCustomer(b.T, c.ID)
		b.told(payment.CustomerDeleted, c.ID, "")
	}},
	{name: "have an id, a name and a time", prove: func(b *bench) {
		c := b.payer(Pays)
		b.subscribe(c.ID, 0)
		b.told(payment.SubscriptionChanged, c.ID, "")
		for _, e := range b.events() {
			assert.NotEmpty(b, e.ID)
			assert.NotEmpty(b, e.Type)
			assert.WithinDuration(b, b.Now(), e.CreatedAt, time.Minute)
			assert.Equal(b, time.UTC, e.CreatedAt.Location())
		}
	}},
	{name: "come signed", prove: func(b *bench) {
		c := b.payer(Pays)
		b.told(payment.CustomerChanged, c.ID, "")
		for _, d := range b.Deliveries(b.T) {
			_, err := b.Provider.ParseEvent(d.Payload, d.Signature)
			assert.NoError(b, err)
		}
	}},
	{name: "keep their id, however often they come", prove: func(b *bench) {
		b.payer(Pays)
		require.EventuallyWithT(b, func(c *assert.CollectT) { assert.NotEmpty(c, b.Deliveries(b.T)) }, patience, pause)
		d := b.Deliveries(b.T)[0]
		first, err := b.Provider.ParseEvent(d.Payload, b.Sign(d.Payload, b.Now(), Ours))
		require.NoError(b, err)
		again, err := b.Provider.ParseEvent(d.Payload, b.Sign(d.Payload, b.Now().Add(-time.Minute), Ours))
		require.NoError(b, err)
		assert.Equal(b, first, again)
	}},
}

const (
	patience = 10 * time.Second
	pause    = 5 * time.Millisecond
)

// events reads everything delivered so far, each event once. Time may have passed since, so the
// deliveries are signed anew.
func (b *bench) events() []payment.Event {
	var all []payment.Event
	known := map[string]bool{}
	for _, d := range b.Deliveries(b.T) {
		e, err := b.Provider.ParseEvent(d.Payload, b.Sign(d.Payload, b.Now(), Ours))
		if assert.NoError(b, err) && !known[e.ID] {
			known[e.ID] = true
			all = append(all, e)
		}
	}
	return all
}

// told waits for an event about the things, and returns the ids of all there are of them.
func (b *bench) told(kind payment.EventKind, customerID, subscriptionID string) map[string]bool {
	b.Helper()
	return b.toldAfter(nil, kind, customerID, subscriptionID)
}

// toldAfter is told for an event that was not among those before.
func (b *bench) toldAfter(before map[string]bool, kind payment.EventKind, customerID, subscriptionID string) map[string]bool {
	b.Helper()
	var found map[string]bool
	require.EventuallyWithT(b, func(c *assert.CollectT) {
		found = map[string]bool{}
		for _, e := range b.events() {
			if e.Kind == kind && e.CustomerID == customerID && (subscriptionID == "" || e.SubscriptionID == subscriptionID) {
				found[e.ID] = true
			}
		}
		assert.Greater(c, len(found), len(before), "%s of %s %s", kind, customerID, subscriptionID)
	}, patience, pause)
	return found
}
