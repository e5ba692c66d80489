package flowtest

import (
	"context"
	"slices"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
)

// Secret signs the provider's events.
const Secret = "whsec_flows"

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

// Forward has the provider deliver to a server by itself from now on.
func (w *World) Forward(to *app.UseCases) {
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	w.events.to = to.ReceiveEvent.Do
}

// Arrived are the events that nobody has delivered yet, oldest first; they count as delivered.
func (w *World) Arrived() [][]byte {
	w.t.Helper()
	require.NoError(w.t, w.Bank.Drain(w.t.Context()))
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	taken := w.events.queued
	w.events.queued = nil
	return taken
}

// Told are all the events so far, oldest first, whatever became of them.
func (w *World) Told() [][]byte {
	w.t.Helper()
	require.NoError(w.t, w.Bank.Drain(w.t.Context()))
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	return slices.Clone(w.events.all)
}

// Deliver brings events to a server, as the provider does.
func (w *World) Deliver(to *app.UseCases, payloads ...[]byte) {
	w.t.Helper()
	for _, payload := range payloads {
		require.NoError(w.t, to.ReceiveEvent.Do(w.t.Context(), payload, w.Signed(payload)))
	}
}

// Signed is the signature of a payload that is delivered now.
func (w *World) Signed(payload []byte) string {
	return fakepayment.Sign(payload, w.Clock.Now(), Secret)
}
