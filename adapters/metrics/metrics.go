// Package metrics exports metrics of the server to Prometheus. It decorates payment.Provider and mail.Sender,
// and records requests and background work. No label contains personal data, and every label has few values.
package metrics

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/vc-admin/diy/ports/mail"
)

const (
	namespace = "diy" // the first part of the names of all metrics in this package

	maxConcurrentScrapes = 4
	scrapeTimeout        = 10 * time.Second
)

// durationBuckets are the upper bounds of duration histograms in seconds. The smallest are for static files, and the
// largest are for slow calls to the payment provider.
var durationBuckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 50}

// Metrics holds the metrics of one server in its own registry.
type Metrics struct {
	registry         *prometheus.Registry
	requests         requestMetrics
	provider         providerMetrics
	emails           *prometheus.CounterVec
	quoteDifferences prometheus.Counter
	workers          workerMetrics
}

// New returns the metrics of a server of the given version.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), requests: newRequestMetrics(), provider: newProviderMetrics(), workers: newWorkerMetrics(),
		quoteDifferences: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "quote_differences_total", Help: "Charges whose amount differs from the quote.",
		}),
		emails: newCounter("emails_total",
			"Attempts to send an email, by outcome: ok, unavailable (temporary), permanent (an operator has to act), "+
				"refused (the mailbox does not exist) or another error code.", "outcome"),
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), newBuildInfo(version),
		m.requests.total, m.requests.seconds, m.provider.total, m.provider.seconds, m.provider.events,
		m.emails, m.quoteDifferences, m.workers.runs, m.workers.items, m.workers.lastSuccess,
	)
	return m
}

// Handler serves the metrics in the format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.InstrumentMetricHandler(m.registry, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: maxConcurrentScrapes, Timeout: scrapeTimeout, Registry: m.registry,
	}))
}

func newBuildInfo(version string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the labels are the versions.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	}, func() float64 { return 1 })
}

func newCounter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func newDurationHistogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace, Name: name, Help: help, Buckets: durationBuckets,
	}, labels)
}

type requestMetrics struct {
	total   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

func newRequestMetrics() requestMetrics {
	return requestMetrics{
		total:   newCounter("http_requests_total", "HTTP requests, by route pattern.", "method", "route", "status"),
		seconds: newDurationHistogram("http_request_duration_seconds", "Duration of HTTP requests, by route pattern.", "method", "route"),
	}
}

// ObserveRequest counts and times an HTTP request. To keep the number of series small, route must be a pattern and not a
// path, and method must be one of a fixed set.
func (m *Metrics) ObserveRequest(method, route string, status int, elapsed time.Duration) {
	m.requests.total.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.requests.seconds.WithLabelValues(method, route).Observe(elapsed.Seconds())
}

// CountQuoteDifference counts a charge whose amount differs from its quote.
func (m *Metrics) CountQuoteDifference() { m.quoteDifferences.Inc() }

// WrapSender returns a mail.Sender that counts the attempts to send an email by outcome.
func (m *Metrics) WrapSender(next mail.Sender) mail.Sender { return countingSender{next, m} }

type countingSender struct {
	next    mail.Sender
	metrics *Metrics
}

// Send implements mail.Sender.
func (s countingSender) Send(ctx context.Context, email mail.Message) error {
	err := s.next.Send(ctx, email)
	outcome := outcomeOf(err)
	switch {
	case errors.Is(err, mail.ErrUnknownMailbox):
		outcome = "refused"
	case errors.Is(err, mail.ErrPermanent):
		outcome = "permanent"
	}
	s.metrics.emails.WithLabelValues(outcome).Inc()
	return err
}

type workerMetrics struct {
	runs, items *prometheus.CounterVec
	lastSuccess *prometheus.GaugeVec
}

func newWorkerMetrics() workerMetrics {
	return workerMetrics{
		runs:  newCounter("worker_runs_total", "Runs of background workers, by outcome: ok or failed.", "worker", "outcome"),
		items: newCounter("worker_items_total", "Items processed by background workers, such as emails sent.", "worker"),
		lastSuccess: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "worker_last_success_timestamp_seconds",
			Help: "Time of the last successful run, in seconds since the Unix epoch.",
		}, []string{"worker"}),
	}
}

// CountRun counts a run of a worker. items is the number of items that it processed, and end is when it ended. The run
// failed if err is not nil.
func (m *Metrics) CountRun(worker string, items int, err error, end time.Time) {
	outcome := "failed"
	if err == nil {
		outcome = "ok"
		m.workers.lastSuccess.WithLabelValues(worker).Set(float64(end.Unix()))
	}
	m.workers.runs.WithLabelValues(worker, outcome).Inc()
	m.workers.items.WithLabelValues(worker).Add(float64(items))
}
