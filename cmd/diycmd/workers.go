package diycmd

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/trace"
)

// worker calls do periodically. do returns how many items it processed.
type worker struct {
	name  string
	every time.Duration
	do    func(context.Context) (int, error)
}

// workerReports receives the results of workers.
type workerReports struct {
	fx.In

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Clock   clock.Clock
}

// workers returns all background work. Any number of servers on one database may run it concurrently.
func workers(u *app.UseCases, store *sqlstorage.Store, clock clock.Clock) []worker {
	return []worker{
		{"email requests", 500 * time.Millisecond, u.SendRequestedEmails.Do},
		{"mail", 500 * time.Millisecond, u.DeliverMail.Do},
		{"reconcile", 30 * time.Second, u.Reconcile.Do},
		{"refresh billing", 30 * time.Second, u.RefreshBilling.Do},
		{"tidy cards", time.Minute, u.TidyCards.Do},
		{"sweep", time.Hour, withoutCount(u.Sweep.Do)},
		{"sweep sessions", 5 * time.Minute, withoutCount(store.Sessions().Sweep)},
		{"sweep limits", 5 * time.Minute,
			withoutCount(func(ctx context.Context) error { return store.RateLimits().Sweep(ctx, clock.Now()) })},
	}
}

// withoutCount adapts work that does not count its items.
func withoutCount(do func(context.Context) error) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) { return 0, do(ctx) }
}

func runWorkers(life fx.Lifecycle, u *app.UseCases, store *sqlstorage.Store, reports workerReports) {
	runInBackground(life, reports, workers(u, store, reports.Clock)...)
}

// runInBackground runs the workers from start to stop of the application.
func runInBackground(life fx.Lifecycle, reports workerReports, workers ...worker) {
	var running sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	life.Append(fx.Hook{
		OnStart: func(context.Context) error {
			for _, w := range workers {
				running.Go(func() { w.run(ctx, reports) })
			}
			return nil
		},
		OnStop: func(context.Context) error {
			cancel()
			running.Wait()
			return nil
		},
	})
}

func (w worker) run(ctx context.Context, reports workerReports) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.runOnce(ctx, reports)
		}
	}
}

// runOnce calls do once, with a trace ID of its own, and reports the result. An error while the server
// is stopping is not reported.
func (w worker) runOnce(ctx context.Context, reports workerReports) {
	ctx = trace.With(ctx, trace.NewID())
	done, err := w.do(ctx)
	if err != nil && ctx.Err() != nil {
		return
	}
	reports.Metrics.Round(w.name, done, err, reports.Clock.Now())
	switch {
	case err != nil:
		reports.Log.WarnContext(ctx, "background work failed", "worker", w.name, "error", err)
	case done > 0:
		reports.Log.InfoContext(ctx, "background work", "worker", w.name, "done", done)
	}
}
