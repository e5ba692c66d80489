package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// calls holds the metrics of the payment provider.
type calls struct {
	total   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	events  *prometheus.CounterVec
}

func newCalls() calls {
	return calls{
		total:   counter("provider_calls_total", "Calls to the payment provider, by outcome: ok or an error code.", "call", "outcome"),
		seconds: durations("provider_call_duration_seconds", "Duration of calls to the payment provider, retries included.", "call"),
		events: counter("provider_events_total",
			"Webhook events, by kind and outcome: ok or an error code.", "kind", "outcome"),
	}
}

// measure counts and times one call to the payment provider.
func (c calls) measure(ctx context.Context, call payment.Call, next func(context.Context) error) error {
	start := time.Now() //nolint:forbidigo // durations are real time
	err := next(ctx)
	elapsed := time.Since(start) //nolint:forbidigo // as above
	c.total.WithLabelValues(call.Method, outcomeOf(err)).Inc()
	c.seconds.WithLabelValues(call.Method).Observe(elapsed.Seconds())
	return err
}

// outcomeOf returns the outcome label: ok or the code of the fault.
func outcomeOf(err error) string {
	if err == nil {
		return "ok"
	}
	return string(fault.CodeOf(err))
}
