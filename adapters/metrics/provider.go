package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// providerMetrics holds the metrics of the payment provider.
type providerMetrics struct {
	total   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	events  *prometheus.CounterVec
}

func newProviderMetrics() providerMetrics {
	return providerMetrics{
		total: newCounter("provider_calls_total",
			"Calls to the payment provider, by outcome: ok or an error code.", "call", "outcome"),
		seconds: newDurationHistogram("provider_call_duration_seconds",
			"Duration of calls to the payment provider, retries included.", "call"),
		events: newCounter("provider_events_total",
			"Webhook events, by kind and outcome: ok or an error code.", "kind", "outcome"),
	}
}

// measure counts and times one call to the payment provider.
func (m providerMetrics) measure(ctx context.Context, call payment.Call, next func(context.Context) error) error {
	start := time.Now() //nolint:forbidigo // durations are real time
	err := next(ctx)
	elapsed := time.Since(start) //nolint:forbidigo // as above
	m.total.WithLabelValues(call.Method, outcomeOf(err)).Inc()
	m.seconds.WithLabelValues(call.Method).Observe(elapsed.Seconds())
	return err
}

// WrapProvider returns a payment.Provider that counts and times the calls to next, and counts webhook events.
func (m *Metrics) WrapProvider(next payment.Provider) payment.Provider {
	return countingProvider{payment.Intercept(next, m.provider.measure), m.provider}
}

type countingProvider struct {
	payment.Provider
	metrics providerMetrics
}

// Unwrap returns the provider without the counters of events, for callers that need its type.
func (p countingProvider) Unwrap() payment.Provider { return p.Provider }

// ParseEvents counts the events, or one unknown event if the delivery is refused. It does not time the call, because most
// providers call no API in ParseEvents.
func (p countingProvider) ParseEvents(ctx context.Context, req payment.Delivery) ([]payment.Event, error) {
	events, err := p.Provider.ParseEvents(ctx, req)
	if err != nil {
		p.metrics.events.WithLabelValues("unknown", outcomeOf(err)).Inc()
	}
	for _, event := range events {
		p.metrics.events.WithLabelValues(string(event.Kind), outcomeOf(nil)).Inc()
	}
	return events, err
}

// outcomeOf returns the outcome label: ok or the code of the fault.
func outcomeOf(err error) string {
	if err == nil {
		return "ok"
	}
	return string(fault.CodeOf(err))
}
