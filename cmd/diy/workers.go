package main

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

// worker does a piece of background work again and again.
type worker struct {
	name  string
	every time.Duration
	do    func(context.Context) (int, error)
}

// watch is who learns of what the workers do.
type watch struct {
	fx.In

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Clock   clock.Clock
}

// workersOf is all that goes on in the background. Any number of servers may do it at once.
func workersOf(u *app.UseCases, store *sqlstorage.Store, clock clock.Clock) []worker {
	return []worker{
		{"email requests", 500 * time.Millisecond, u.AnswerEmailRequests.Do},
		{"mail", 500 * time.Millisecond, u.DeliverMail.Do},
		{"reconcile", 30 * time.Second, u.Reconcile.Do},
		{"check licenses", 30 * time.Second, u.CheckLicenses.Do},
		{"tidy cards", time.Minute, u.TidyCards.Do},
		{"sweep", time.Hour, uncounted(u.Sweep.Do)},
		{"sweep sessions", 5 * time.Minute, uncounted(store.Sessions().Sweep)},
		{"sweep limits", 5 * time.Minute, uncounted(sweepLimits(store.RateLimits(), clock))},
	}
}

// uncounted is work that does not say how much it did.
func uncounted(do func(context.Context) error) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) { return 0, do(ctx) }
}

// runWorkers works from start to stop of the application.
func runWorkers(life fx.Lifecycle, u *app.UseCases, store *sqlstorage.Store, watch watch) {
	var running sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	life.Append(fx.Hook{
		OnStart: func(context.Context) error {
			for _, w := range workersOf(u, store, watch.Clock) {
				running.Go(func() { w.run(ctx, watch) })
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

func (w worker) run(ctx context.Context, watch watch) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.round(ctx, watch)
		}
	}
}

// round does the work once, under an id of its own. What fails because the server stops has not
// failed.
func (w worker) round(ctx context.Context, watch watch) {
	ctx = trace.With(ctx, trace.NewID())
	done, err := w.do(ctx)
	if err != nil && ctx.Err() != nil {
		return
	}
	watch.Metrics.Round(w.name, done, err, watch.Clock.Now())
	switch {
	case err != nil:
		watch.Log.WarnContext(ctx, "background work failed", "worker", w.name, "error", err)
	case done > 0:
		watch.Log.InfoContext(ctx, "background work", "worker", w.name, "done", done)
	}
}
