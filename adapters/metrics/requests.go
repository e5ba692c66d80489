package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type requests struct {
	total   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

func newRequests() requests {
	return requests{
		total:   counter("http_requests_total", "Requests answered, by route pattern.", "method", "route", "status"),
		seconds: durations("http_request_duration_seconds", "How long answers took, by route pattern.", "method", "route"),
	}
}

// Request counts a request that was answered. The caller keeps methods and routes few: route is a
// pattern, never a path.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	m.requests.total.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.requests.seconds.WithLabelValues(method, route).Observe(took.Seconds())
}
