package diycmd

import (
	"context"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	paymentWorkerEvery = 5 * time.Second
	// paymentWorkerTTL is the time after which other servers take over from one that has died.
	paymentWorkerTTL = time.Minute
)

// paymentWorker is the provider's own background work; its Worker is nil if it has none.
type paymentWorker struct{ payment.Worker }

// tick does the work that is due, unless another server does it, and updates the application's copy.
func (w paymentWorker) tick(ctx context.Context, store *sqlstorage.Store, receive *app.ReceiveEvent) (done int, err error) {
	_, err = store.RunLeased(ctx, "payments", paymentWorkerTTL, func(ctx context.Context) (err error) {
		done, err = w.Tick(ctx, receive.Apply)
		return err
	})
	return done, err
}

// runPaymentWorker runs the worker in the background. A move of the development clock waits until it has
// done what came due, so that the next request sees the results.
func runPaymentWorker(life fx.Lifecycle, w paymentWorker, u *app.UseCases, store *sqlstorage.Store, reports workerReports) {
	if w.Worker == nil {
		return
	}
	background := worker{"payments", paymentWorkerEvery,
		func(ctx context.Context) (int, error) { return w.tick(ctx, store, u.ReceiveEvent) }}
	if clock, ok := reports.Clock.(*devclock.Clock); ok {
		clock.Observe(func(time.Time) {
			ctx, cancel := context.WithTimeout(context.Background(), advanceTimeout)
			defer cancel()
			background.runOnce(ctx, reports)
		})
	}
	runInBackground(life, reports, background)
}
