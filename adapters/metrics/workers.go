package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type workers struct {
	runs, done *prometheus.CounterVec
	last       *prometheus.GaugeVec
}

func newWorkers() workers {
	return workers{
		runs: counter("worker_runs_total", "Rounds of background work, by outcome: ok or failed.", "worker", "outcome"),
		done: counter("worker_done_total", "What background work got done: letters sent, operations settled.", "worker"),
		last: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: prefix, Name: "worker_last_success_timestamp_seconds",
			Help: "When a round of background work last went well, in seconds since 1970.",
		}, []string{"worker"}),
	}
}

// Round counts a round of background work that ended at the instant, having done so many things.
func (m *Metrics) Round(worker string, done int, err error, at time.Time) {
	outcome := "failed"
	if err == nil {
		outcome = "ok"
		m.workers.last.WithLabelValues(worker).Set(float64(at.Unix()))
	}
	m.workers.runs.WithLabelValues(worker, outcome).Inc()
	m.workers.done.WithLabelValues(worker).Add(float64(done))
}
