package flows

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/payment"
)

// secret signs the provider's events.
const secret = "whsec_flows"

// events are the provider's, as they came.
type events struct {
	mu     sync.Mutex
	queued [][]byte         // not delivered to anybody yet
	all    [][]byte         // whatever became of them
	to     fakepayment.Sink // who gets them at once; nil keeps them
}

// take is where the provider delivers to.
func (e *events) take(ctx context.Context, payload []byte, signature string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, payload)
	if e.to != nil {
		return e.to(ctx, payload, signature)
	}
	e.queued = append(e.queued, payload)
	return nil
}

// forward has the provider deliver to a server by itself.
func (w *world) forward(to *app.UseCases) {
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	w.events.to = to.ReceiveEvent.Do
}

// arrived are the events that nobody has delivered yet, oldest first; they count as delivered.
func (w *world) arrived() [][]byte {
	w.t.Helper()
	require.NoError(w.t, w.provider.Drain(w.t.Context()))
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	taken := w.events.queued
	w.events.queued = nil
	return taken
}

// deliver brings events to a server, as the provider does.
func (w *world) deliver(to *app.UseCases, payloads ...[]byte) {
	w.t.Helper()
	for _, payload := range payloads {
		require.NoError(w.t, to.ReceiveEvent.Do(w.t.Context(), payload, w.signed(payload)))
	}
}

func (w *world) signed(payload []byte) string {
	return fakepayment.Sign(payload, w.clock.Now(), secret)
}

// paid counts the invoices that were paid so far. A trial's first one, of nothing, is among them.
func (w *world) paid() int {
	w.t.Helper()
	require.NoError(w.t, w.provider.Drain(w.t.Context()))
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	invoices := map[string]bool{}
	for _, payload := range w.events.all {
		var e struct {
			Type string
			Data struct{ Object struct{ ID string } }
		}
		require.NoError(w.t, json.NewDecoder(bytes.NewReader(payload)).Decode(&e))
		if e.Type == "invoice.paid" {
			invoices[e.Data.Object.ID] = true
		}
	}
	return len(invoices)
}

// cancelAtTheProvider is what somebody does by hand at the provider's desk. Nobody tells us.
func (w *world) cancelAtTheProvider(id string) {
	w.t.Helper()
	_, err := w.provider.CancelSubscription(w.t.Context(), payment.Cancellation{Key: "desk-" + id, SubscriptionID: id})
	require.NoError(w.t, err)
}
