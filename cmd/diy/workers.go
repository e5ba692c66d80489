package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
)

// worker does a piece of background work again and again.
type worker struct {
	name  string
	every time.Duration
	do    func(context.Context) (int, error)
}

// workersOf is all that goes on in the background. Any number of servers may do it at once.
func workersOf(u *app.UseCases, store *sqlstorage.Store, clock clock.Clock) []worker {
	return []worker{
		{"mail", 500 * time.Millisecond, u.DeliverMail.Do},
		{"reconcile", 30 * time.Second, u.Reconcile.Do},
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
func runWorkers(life fx.Lifecycle, u *app.UseCases, store *sqlstorage.Store, clock clock.Clock, log *slog.Logger) {
	var running sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	life.Append(fx.Hook{
		OnStart: func(context.Context) error {
			for _, w := range workersOf(u, store, clock) {
				running.Go(func() { w.run(ctx, log) })
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

func (w worker) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.round(ctx, log)
		}
	}
}

func (w worker) round(ctx context.Context, log *slog.Logger) {
	done, err := w.do(ctx)
	switch {
	case err != nil && ctx.Err() == nil:
		log.Warn("background work failed", "worker", w.name, "error", err)
	case done > 0:
		log.Info("background work", "worker", w.name, "done", done)
	}
}
