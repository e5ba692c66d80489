package diycmd

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/payment"
)

// blockingWorker blocks in each call, and counts the calls that run at the same time.
type blockingWorker struct {
	runningCalls, maxRunningCalls, calls atomic.Int32
	release                              chan struct{} // each call waits for a value
}

func (w *blockingWorker) Tick(context.Context, func(context.Context, payment.Event) error) (int, error) {
	w.calls.Add(1)
	w.maxRunningCalls.Store(max(w.maxRunningCalls.Load(), w.runningCalls.Add(1)))
	<-w.release
	w.runningCalls.Add(-1)
	return 0, nil
}

func TestRunOnOneServer_DoesNotRunTheWorkerConcurrently(t *testing.T) {
	for name, url := range map[string]func(*testing.T) string{
		"SQLite": newSQLiteURL, "PostgreSQL": func(t *testing.T) string { return postgrestest.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			database, slow := url(t), &blockingWorker{release: make(chan struct{})}
			runWorker := func() error {
				store, err := sqlstorage.Open(t.Context(), database)
				if err != nil {
					return err
				}
				defer func() { assert.NoError(t, store.Close()) }()
				if err := store.Migrate(t.Context()); err != nil {
					return err
				}
				_, err = optionalWorker{slow}.runOnOneServer(t.Context(), store, &app.ReceiveEvent{})
				return err
			}
			var wg sync.WaitGroup
			wg.Go(func() { assert.NoError(t, runWorker()) })
			require.Eventually(t, func() bool { return slow.runningCalls.Load() == 1 }, startTimeout, 10*time.Millisecond)
			require.NoError(t, runWorker(), "another server does the work")
			slow.release <- struct{}{}
			wg.Wait()
			wg.Go(func() { slow.release <- struct{}{} })
			require.NoError(t, runWorker())
			wg.Wait()
			assert.EqualValues(t, 2, slow.calls.Load())
			assert.EqualValues(t, 1, slow.maxRunningCalls.Load())
		})
	}
}
