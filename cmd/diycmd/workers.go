package diycmd

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/trace"
)

// worker calls do at intervals. do returns how many items it processed.
type worker struct {
	name     string
	interval time.Duration
	do       func(context.Context) (items int, err error)
}

// workerReporter receives the results of workers.
type workerReporter struct {
	fx.In

	Log     *slog.Logger
	Metrics *metrics.Metrics
	Clock   clock.Clock
}

// appWorkers returns the workers for all background work of the application. Several servers on one database may run it
// concurrently.
func appWorkers(u *app.UseCases, store *sqlstorage.Store, clock clock.Clock) []worker {
	return []worker{
		{"email requests", 500 * time.Millisecond, u.SendRequestedEmails.Do},
		{"mail", 500 * time.Millisecond, u.DeliverMail.Do},
		{"reconcile", 30 * time.Second, u.Reconcile.Do},
		{"refresh billing", 30 * time.Second, u.RefreshBilling.Do},
		{"refused sign-ins", 10 * time.Second, u.RecordRefusedSignIns.Do},
		{"audit seals", auditSealInterval, func(ctx context.Context) (int, error) { return sealOnOneServer(ctx, u, store) }},
		{"erasures", time.Minute, u.CarryOutErasures.Do},
		{"sweep", time.Hour, withZeroCount(u.Sweep.Do)},
		{"sweep sessions", 5 * time.Minute, withZeroCount(store.Sessions().Sweep)},
		{"sweep limits", 5 * time.Minute,
			withZeroCount(func(ctx context.Context) error { return store.RateLimits().Sweep(ctx, clock.Now()) })},
	}
}

const (
	auditSealInterval = 2 * audit.MinSealInterval // of each server
	auditSealTTL      = 5 * time.Minute
)

// sealOnOneServer seals the audit log, unless another server does so at the same time.
func sealOnOneServer(ctx context.Context, u *app.UseCases, store *sqlstorage.Store) (seals int, err error) {
	_, err = store.RunLeased(ctx, "audit seals", auditSealTTL, func(ctx context.Context) (err error) {
		seals, err = u.SealAuditLog.Do(ctx)
		return err
	})
	return seals, err
}

// withZeroCount adapts a function that does not count its items. The count is always 0.
func withZeroCount(do func(context.Context) error) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) { return 0, do(ctx) }
}

// runAppWorkers runs the background work of the application.
func runAppWorkers(lifecycle fx.Lifecycle, u *app.UseCases, store *sqlstorage.Store, reporter workerReporter) {
	runInBackground(lifecycle, reporter, appWorkers(u, store, reporter.Clock)...)
}

// runInBackground runs the workers from start to stop of the application.
func runInBackground(lifecycle fx.Lifecycle, reporter workerReporter, workers ...worker) {
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	lifecycle.Append(fx.Hook{
		OnStart: func(context.Context) error {
			for _, w := range workers {
				wg.Go(func() { w.run(ctx, reporter) })
			}
			return nil
		},
		OnStop: func(context.Context) error {
			cancel()
			wg.Wait()
			return nil
		},
	})
}

// run calls runOnce at intervals until ctx ends.
func (w worker) run(ctx context.Context, reporter workerReporter) {
	ticker := time.NewTicker(w.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.runOnce(ctx, reporter)
		}
	}
}

// runOnce calls do with a new trace ID and reports the result. It does not report an error while the server is stopping.
func (w worker) runOnce(ctx context.Context, reporter workerReporter) {
	ctx = trace.WithID(ctx, trace.NewID())
	items, err := w.do(ctx)
	if err != nil && ctx.Err() != nil {
		return
	}
	reporter.Metrics.CountRun(w.name, items, err, reporter.Clock.Now())
	switch {
	case err != nil:
		reporter.Log.WarnContext(ctx, "background work failed", "worker", w.name, "error", err)
	case items > 0:
		reporter.Log.InfoContext(ctx, "background work", "worker", w.name, "done", items)
	}
}

const (
	paymentWorkerInterval = 5 * time.Second
	// paymentWorkerTTL is the time after which another server takes over the payment worker of a server that has died.
	paymentWorkerTTL = time.Minute
)

// optionalWorker contains the payment provider's own background work, or nil if it has none.
type optionalWorker struct{ payment.Worker }

// runOnOneServer does the work that is due and updates the application's copy, unless another server does so at the same
// time.
func (w optionalWorker) runOnOneServer(
	ctx context.Context, store *sqlstorage.Store, receive *app.ReceiveEvent,
) (items int, err error) {
	_, err = store.RunLeased(ctx, "payments", paymentWorkerTTL, func(ctx context.Context) (err error) {
		items, err = w.Tick(ctx, receive.Apply)
		return err
	})
	return items, err
}

// runPaymentWorker runs the worker in the background. A move of the development clock waits until the worker has done the
// work that became due, so that the next request sees the results.
func runPaymentWorker(
	lifecycle fx.Lifecycle, w optionalWorker, u *app.UseCases, store *sqlstorage.Store, reporter workerReporter,
) {
	if w.Worker == nil {
		return
	}
	paymentWorker := worker{
		"payments", paymentWorkerInterval,
		func(ctx context.Context) (int, error) { return w.runOnOneServer(ctx, store, u.ReceiveEvent) },
	}
	if clock, ok := reporter.Clock.(*devclock.Clock); ok {
		clock.Observe(func(time.Time) {
			ctx, cancel := context.WithTimeout(context.Background(), clockChangeTimeout)
			defer cancel()
			paymentWorker.runOnce(ctx, reporter)
		})
	}
	runInBackground(lifecycle, reporter, paymentWorker)
}
