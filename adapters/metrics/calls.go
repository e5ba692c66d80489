package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vc-admin/diy/domain/fault"
)

type calls struct {
	total   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	events  *prometheus.CounterVec
}

func newCalls() calls {
	return calls{
		total:   counter("provider_calls_total", "Calls of the payment provider, by outcome: ok or the fault's code.", "call", "outcome"),
		seconds: durations("provider_call_duration_seconds", "Duration of calls of the payment provider, retries included.", "call"),
		events: counter("provider_events_total",
			"Webhook events, by kind and outcome: ok or the fault's code.", "kind", "outcome"),
	}
}

// call counts and times one call of the payment provider.
func (c calls) call(name string, do func() error) error {
	began := time.Now() //nolint:forbidigo // durations are real time
	err := do()
	took := time.Since(began) //nolint:forbidigo // as above
	c.total.WithLabelValues(name, outcomeOf(err)).Inc()
	c.seconds.WithLabelValues(name).Observe(took.Seconds())
	return err
}

// answer is call for what returns something.
func answer[T any](c calls, name string, do func() (T, error)) (got T, err error) {
	err = c.call(name, func() error {
		got, err = do()
		return err
	})
	return got, err
}

// outcomeOf is the label of an outcome.
func outcomeOf(err error) string {
	if err == nil {
		return "ok"
	}
	return string(fault.CodeOf(err))
}
