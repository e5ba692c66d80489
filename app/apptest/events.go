package apptest

import (
	"context"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/payment"
)

// WebhookSecret signs the provider's events.
const WebhookSecret = "whsec_apptest"

// eventQueue receives the provider's events.
type eventQueue struct {
	mu       sync.Mutex
	payloads [][]byte         // the queued events, oldest first
	sink     fakepayment.Sink // receives events as soon as they occur; nil to queue them
}

// receive queues an event, or passes it to the sink.
func (q *eventQueue) receive(ctx context.Context, payload []byte, signature string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.sink != nil {
		return q.sink(ctx, payload, signature)
	}
	q.payloads = append(q.payloads, payload)
	return nil
}

// ForwardEvents delivers all later events to a server as soon as they occur.
func (e *Env) ForwardEvents(server *app.UseCases) {
	e.events.mu.Lock()
	defer e.events.mu.Unlock()
	e.events.sink = func(ctx context.Context, payload []byte, signature string) error {
		return server.ReceiveEvent.Do(ctx, fakepayment.NewDelivery(payload, signature))
	}
}

// TakeEvents removes the payloads of all queued events from the queue and returns them, oldest first.
func (e *Env) TakeEvents() [][]byte {
	e.t.Helper()
	require.NoError(e.t, e.Provider.Drain(e.t.Context()))
	e.events.mu.Lock()
	defer e.events.mu.Unlock()
	payloads := e.events.payloads
	e.events.payloads = nil
	return payloads
}

// DeliverEvents delivers all queued events to Env.App, oldest first. Env.App must accept them.
func (e *Env) DeliverEvents() {
	e.t.Helper()
	e.DeliverPayloads(e.App, e.TakeEvents()...)
}

// DeliverPayloads delivers events to a server, which must accept them.
func (e *Env) DeliverPayloads(server *app.UseCases, payloads ...[]byte) {
	e.t.Helper()
	for _, payload := range payloads {
		require.NoError(e.t, server.ReceiveEvent.Do(e.t.Context(), e.NewDelivery(payload)))
	}
}

// NewDelivery returns the webhook request for an event that is delivered now.
func (e *Env) NewDelivery(payload []byte) payment.Delivery {
	return fakepayment.NewDelivery(payload, e.Sign(payload))
}

// Sign returns the signature of an event that is delivered now.
func (e *Env) Sign(payload []byte) string {
	return fakepayment.Sign(payload, e.Clock.Now(), WebhookSecret)
}
