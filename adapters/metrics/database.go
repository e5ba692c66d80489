package metrics

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	backlogTimeout = 2 * time.Second  // limits one query of the database
	backlogMaxAge  = 10 * time.Second // how long a result is reused
)

// RegisterPool exports the statistics of a pool of database connections.
func (m *Metrics) RegisterPool(name string, db *sql.DB) {
	m.registry.MustRegister(collectors.NewDBStatsCollector(db, name))
}

// RegisterBacklog exports the number and the age of the emails and operations that wait in the database. It queries the
// database at most once in ten seconds, even if the metrics are scraped more often.
func (m *Metrics) RegisterBacklog(query func(context.Context) (storage.Backlog, error), clock clock.Clock) {
	m.registry.MustRegister(&backlogCollector{
		query: query, clock: clock,
		databaseUp: newDesc("database_up", "1 when the last query of the database succeeded, else 0."),
		queues: []queueMetrics{
			{
				newDesc("outbox_emails", "Emails waiting to be sent, counted up to 1000."),
				newDesc("outbox_oldest_age_seconds", "Age of the oldest waiting email; 0 if there is none."),
				func(b storage.Backlog) storage.QueueStats { return b.Emails },
			},
			{
				newDesc("operations_pending", "Operations at the payment provider without a known outcome, those in progress "+
					"included, counted up to 1000."),
				newDesc("operations_pending_oldest_age_seconds", "Age of the oldest pending operation; 0 if there is none."),
				func(b storage.Backlog) storage.QueueStats { return b.Operations },
			},
		},
	})
}

func newDesc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, nil, nil)
}

// backlogCollector is a prometheus.Collector that queries the database at most once in backlogMaxAge.
type backlogCollector struct {
	query      func(context.Context) (storage.Backlog, error)
	clock      clock.Clock
	databaseUp *prometheus.Desc // whether the last query succeeded
	queues     []queueMetrics

	mu          sync.Mutex
	lastQueryAt time.Time       // when the last query started
	lastResult  storage.Backlog // of the last query
	lastErr     error           // of the last query
}

// queueMetrics are the two metrics of a queue.
type queueMetrics struct {
	count, age *prometheus.Desc
	queueOf    func(storage.Backlog) storage.QueueStats
}

// Describe implements prometheus.Collector.
func (b *backlogCollector) Describe(out chan<- *prometheus.Desc) {
	out <- b.databaseUp
	for _, q := range b.queues {
		out <- q.count
		out <- q.age
	}
}

// Collect implements prometheus.Collector. While the database can't be reached, it omits the queues, because an old value
// would look current.
func (b *backlogCollector) Collect(out chan<- prometheus.Metric) {
	result, err := b.read()
	if err != nil {
		out <- prometheus.MustNewConstMetric(b.databaseUp, prometheus.GaugeValue, 0)
		return
	}
	out <- prometheus.MustNewConstMetric(b.databaseUp, prometheus.GaugeValue, 1)
	for _, q := range b.queues {
		queue := q.queueOf(result)
		out <- prometheus.MustNewConstMetric(q.count, prometheus.GaugeValue, float64(queue.Count))
		out <- prometheus.MustNewConstMetric(q.age, prometheus.GaugeValue, b.ageInSeconds(queue))
	}
}

func (b *backlogCollector) ageInSeconds(queue storage.QueueStats) float64 {
	if queue.Count == 0 {
		return 0
	}
	return max(0, b.clock.Now().Sub(queue.Oldest).Seconds())
}

// read returns the last result if the result is newer than backlogMaxAge. Otherwise it queries the database. Concurrent
// callers share one query.
func (b *backlogCollector) read() (storage.Backlog, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now() //nolint:forbidigo // the interval between queries is real time
	if b.lastQueryAt.IsZero() || now.Sub(b.lastQueryAt) >= backlogMaxAge {
		ctx, cancel := context.WithTimeout(context.Background(), backlogTimeout)
		defer cancel()
		b.lastQueryAt = now
		b.lastResult, b.lastErr = b.query(ctx)
	}
	return b.lastResult, b.lastErr
}
