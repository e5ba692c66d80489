package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vc-admin/diy/domain/fault"
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

// call counts and times one call to the payment provider.
func (c calls) call(name string, do func() error) error {
	start := time.Now() //nolint:forbidigo // durations are real time
	err := do()
	elapsed := time.Since(start) //nolint:forbidigo // as above
	c.total.WithLabelValues(name, outcomeOf(err)).Inc()
	c.seconds.WithLabelValues(name).Observe(elapsed.Seconds())
	return err
}

// callFor counts and times do like call, and returns its value.
func callFor[T any](c calls, name string, do func() (T, error)) (got T, err error) {
	err = c.call(name, func() error {
		got, err = do()
		return err
	})
	return got, err
}

// outcomeOf returns the outcome label: ok or the code of the fault.
func outcomeOf(err error) string {
	if err == nil {
		return "ok"
	}
	return string(fault.CodeOf(err))
}
