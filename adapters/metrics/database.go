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
	backlogPatience = 2 * time.Second  // how long the database may take to tell
	backlogFresh    = 10 * time.Second // how long what it told is good enough
)

// Pool shows how a pool of database connections is used.
func (m *Metrics) Pool(name string, db *sql.DB) {
	m.registry.MustRegister(collectors.NewDBStatsCollector(db, name))
}

// Backlog shows what waits in the database. However often the metrics are collected, it is asked
// once in ten seconds at most, and not for long.
func (m *Metrics) Backlog(ask func(context.Context) (storage.Backlog, error), clock clock.Clock) {
	m.registry.MustRegister(&backlog{
		ask: ask, clock: clock,
		up: describe("database_up", "1 when the database answered when it was asked last, else 0."),
		queues: []queue{
			{
				describe("outbox_letters", "Letters that wait to be sent; the counting stops at a thousand."),
				describe("outbox_oldest_age_seconds", "Age of the oldest letter that waits, 0 without one."),
				func(b storage.Backlog) storage.Queue { return b.Letters },
			},
			{
				describe("operations_pending", "Requests to the payment provider whose outcome is not known, those under way "+
					"included; the counting stops at a thousand."),
				describe("operations_pending_oldest_age_seconds", "Age of the oldest such request, 0 without one."),
				func(b storage.Backlog) storage.Queue { return b.Operations },
			},
		},
	})
}

func describe(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(prefix, "", name), help, nil, nil)
}

// backlog is a collector that asks the database.
type backlog struct {
	ask    func(context.Context) (storage.Backlog, error)
	clock  clock.Clock
	up     *prometheus.Desc
	queues []queue

	mu    sync.Mutex
	asked time.Time
	last  storage.Backlog
	err   error
}

// queue is one thing that waits.
type queue struct {
	count, age *prometheus.Desc
	of         func(storage.Backlog) storage.Queue
}

// Describe implements prometheus.Collector.
func (b *backlog) Describe(out chan<- *prometheus.Desc) {
	out <- b.up
	for _, q := range b.queues {
		out <- q.count
		out <- q.age
	}
}

// Collect implements prometheus.Collector. While the database is away nothing is said of what
// waits in it: an old figure would look like a true one.
func (b *backlog) Collect(out chan<- prometheus.Metric) {
	last, err := b.fresh()
	if err != nil {
		out <- prometheus.MustNewConstMetric(b.up, prometheus.GaugeValue, 0)
		return
	}
	out <- prometheus.MustNewConstMetric(b.up, prometheus.GaugeValue, 1)
	for _, q := range b.queues {
		waiting := q.of(last)
		out <- prometheus.MustNewConstMetric(q.count, prometheus.GaugeValue, float64(waiting.Count))
		out <- prometheus.MustNewConstMetric(q.age, prometheus.GaugeValue, b.ageOf(waiting))
	}
}

func (b *backlog) ageOf(waiting storage.Queue) float64 {
	if waiting.Count == 0 {
		return 0
	}
	return max(0, b.clock.Now().Sub(waiting.Oldest).Seconds())
}

// fresh asks the database, unless it was asked a moment ago. Who comes meanwhile waits for that
// answer instead of asking too.
func (b *backlog) fresh() (storage.Backlog, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now() //nolint:forbidigo // how often the database is asked is a matter of the real clock
	if b.asked.IsZero() || now.Sub(b.asked) >= backlogFresh {
		ctx, cancel := context.WithTimeout(context.Background(), backlogPatience)
		defer cancel()
		b.asked = now
		b.last, b.err = b.ask(ctx)
	}
	return b.last, b.err
}
