package metrics

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	prefix = "diy" // of all names that are ours

	scrapes     = 4                // may be answered at once
	scrapeLimit = 10 * time.Second // of one
)

// waits are the bounds, in seconds, by which durations are told apart: from what a page takes to
// what the slowest answer of the payment provider does.
var waits = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 50}

// Metrics are all metrics of one server, kept in a registry of their own.
type Metrics struct {
	registry *prometheus.Registry
	requests requests
	calls    calls
	letters  *prometheus.CounterVec
	workers  workers
}

// New makes the metrics of a server of the given version.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), requests: newRequests(), calls: newCalls(), workers: newWorkers(),
		letters: counter("letters_total", "Letters handed to the mail server, by outcome: ok or the fault's code.", "outcome"),
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildInfo(version),
		m.requests.total, m.requests.seconds, m.calls.total, m.calls.seconds, m.calls.events,
		m.letters, m.workers.runs, m.workers.done, m.workers.last,
	)
	return m
}

// Handler shows the metrics to whoever collects them.
func (m *Metrics) Handler() http.Handler {
	return promhttp.InstrumentMetricHandler(m.registry, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: scrapes, Timeout: scrapeLimit, Registry: m.registry,
	}))
}

func buildInfo(version string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: prefix, Name: "build_info", Help: "Always 1; the labels say what is running.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	}, func() float64 { return 1 })
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: prefix, Name: name, Help: help}, labels)
}

func durations(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: prefix, Name: name, Help: help, Buckets: waits}, labels)
}
