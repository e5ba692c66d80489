package metrics

import (
	"context"

	"github.com/vc-admin/diy/ports/payment"
)

// Provider returns a payment.Provider that counts and times the calls to next, and counts webhook events.
func (m *Metrics) Provider(next payment.Provider) payment.Provider {
	return provider{payment.Intercept(next, m.calls.measure), m.calls}
}

type provider struct {
	payment.Provider
	calls calls
}

// ParseEvents counts the events, or one unknown event if the delivery is refused. It is not timed, because
// most providers call no API here.
func (p provider) ParseEvents(ctx context.Context, req payment.Delivery) ([]payment.Event, error) {
	events, err := p.Provider.ParseEvents(ctx, req)
	if err != nil {
		p.calls.events.WithLabelValues("unknown", outcomeOf(err)).Inc()
	}
	for _, event := range events {
		p.calls.events.WithLabelValues(string(event.Kind), outcomeOf(nil)).Inc()
	}
	return events, err
}
