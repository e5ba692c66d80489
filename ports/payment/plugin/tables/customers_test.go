package tables_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

// newWorker returns a worker for the test table. The update of a customer whose step is due adds 1 to Changes, and leaves
// no further step due. updateErr returns the error of a customer's update, or nil.
func (e *env) newWorker(updateErr func(id string) error) tables.CustomerWorker {
	c := tables.CustomerWorker{Database: e.Database(), Table: "test_customers", Clock: e.clock, EventPrefix: "change_"}
	c.Update = func(ctx context.Context, id string, change func(*tables.ReportState)) (state tables.ReportState, err error) {
		if err := updateErr(id); err != nil {
			return state, err
		}
		err = e.Database().Write(ctx, func(tx plugin.Tx) error {
			var row struct {
				NextAt int64 `db:"next_at"`
				tables.ReportState
			}
			err := tx.Lock(ctx, &row, "SELECT next_at, changes, reported, failures FROM test_customers WHERE id = ?", id)
			if err != nil {
				return err
			}
			if row.NextAt > 1 && row.Failures == 0 && row.Changes == row.ReportedChanges {
				row.Changes++
			}
			change(&row.ReportState)
			state = row.ReportState
			_, err = tx.Exec(ctx, "UPDATE test_customers SET next_at = ?, changes = ?, reported = ?, failures = ? WHERE id = ?",
				state.NextAt(time.Time{}), state.Changes, state.ReportedChanges, state.Failures, id)
			return err
		})
		return state, err
	}
	return c
}

func noUpdateErr(string) error { return nil }

// addCustomers stores n customers who are due at a time.
func (e *env) addCustomers(t *testing.T, n int, at time.Time) (ids []string) {
	t.Helper()
	for i := range n {
		ids = append(ids, fmt.Sprintf("customer_%03d", i))
		e.exec(t, "INSERT INTO test_customers (id, next_at) VALUES (?, ?)", ids[i], at.Unix()+int64(i))
	}
	return ids
}

// tick calls Tick and returns the reported customers. Each report returns reportErr.
func tick(t *testing.T, c tables.CustomerWorker, reportErr error) (reportedIDs []string, err error) {
	t.Helper()
	_, err = c.Tick(t.Context(), func(_ context.Context, event payment.Event) error {
		reportedIDs = append(reportedIDs, event.CustomerID)
		return reportErr
	})
	return reportedIDs, err
}

func TestTick_ReportsACustomerOnceWhenItIsDue(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		ids, c := e.addCustomers(t, 1, noon.Add(time.Hour)), e.newWorker(noUpdateErr)
		reportedIDs, err := tick(t, c, nil)
		require.NoError(t, err)
		assert.Empty(t, reportedIDs, "nothing is due")

		e.advance(t, time.Hour)
		for _, want := range [][]string{ids, nil} {
			reportedIDs, err = tick(t, c, nil)
			require.NoError(t, err)
			assert.Equal(t, want, reportedIDs)
		}
	})
}

func TestTick_RepeatsAReportThatTheApplicationHasNotStored(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		ids, c := e.addCustomers(t, 1, noon), e.newWorker(noUpdateErr)
		_, err := tick(t, c, errors.New("not stored"))
		require.ErrorContains(t, err, "customer customer_000: not stored")
		reportedIDs, err := tick(t, c, nil)
		require.NoError(t, err)
		assert.Empty(t, reportedIDs, "the report is repeated later")

		e.advance(t, 10*time.Second)
		reportedIDs, err = tick(t, c, nil)
		require.NoError(t, err)
		assert.Equal(t, ids, reportedIDs)
	})
}

func TestTick_FailingCustomersDoNotDelayOthers(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		ids := e.addCustomers(t, tables.TickBatch+1, noon.Add(-time.Hour))
		c := e.newWorker(func(id string) error {
			if id != ids[tables.TickBatch] {
				return errors.New("invalid document")
			}
			return nil
		})
		_, err := tick(t, c, nil)
		require.ErrorContains(t, err, "invalid document")
		reportedIDs, err := tick(t, c, nil)
		require.NoError(t, err)
		assert.Equal(t, ids[tables.TickBatch:], reportedIDs)

		for _, backoff := range []time.Duration{10 * time.Second, 20 * time.Second} {
			e.advance(t, backoff-time.Second)
			_, err = tick(t, c, nil)
			require.NoError(t, err, "before the next attempt")
			e.advance(t, time.Second)
			_, err = tick(t, c, nil)
			require.Error(t, err, "the next attempt")
		}
	})
}

// A server with a wrong clock has stored the times and stopped.
func TestTick_ProcessesCustomersWhoseTimeWasComputedWithAWrongClock(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		const day = 24 * time.Hour
		ids := e.addCustomers(t, 4, noon.Add(300*day))
		c := e.newWorker(noUpdateErr)
		c.PendingSQL, c.PendingLimit = "SELECT id FROM test_customers WHERE id = '"+ids[1]+"'", 30*day
		e.exec(t, "UPDATE test_customers SET failures = 3 WHERE id = ?", ids[0])
		e.exec(t, "UPDATE test_customers SET failures = 1, next_at = ? WHERE id = ?", noon.Add(time.Hour).Unix(), ids[2])

		_, err := tick(t, c, nil)
		require.NoError(t, err)
		assert.Zero(t, e.failures(t, ids[0]), "a failure is repeated after an hour at the latest")
		reportedIDs, err := tick(t, c, nil)
		require.NoError(t, err)
		assert.Equal(t, ids[1:2], reportedIDs, "a payment is pending")
		reportedIDs, err = tick(t, c, nil)
		require.NoError(t, err)
		assert.Empty(t, reportedIDs, "the others are due later")
		assert.Equal(t, 1, e.failures(t, ids[2]))
	})
}

func (e *env) failures(t *testing.T, id string) (failures int) {
	t.Helper()
	require.NoError(t, e.Database().Read(t.Context(), func(tx plugin.Tx) error {
		return tx.Get(t.Context(), &failures, "SELECT failures FROM test_customers WHERE id = ?", id)
	}))
	return failures
}

func TestTick_DeletedCustomerIsNotTriedAgain(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		e.addCustomers(t, 1, noon)
		worker := e.newWorker(func(string) error { return fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "No.") })
		_, err := tick(t, worker, nil)
		require.NoError(t, err)
		reportedIDs, err := tick(t, e.newWorker(noUpdateErr), nil)
		require.NoError(t, err)
		assert.Empty(t, reportedIDs)
	})
}

func TestTick_ProcessesOutboxesOfSeveralCustomersConcurrently(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		ids, c := e.addCustomers(t, 4, noon.Add(-time.Hour)), e.newWorker(noUpdateErr)
		var mu sync.Mutex
		var processed []string
		var firstTwo sync.WaitGroup
		firstTwo.Add(2)
		c.Concurrency = 2
		c.ProcessOutbox = func(_ context.Context, id string) error {
			mu.Lock()
			processed = append(processed, id)
			count := len(processed)
			mu.Unlock()
			if count <= 2 {
				firstTwo.Done()
				firstTwo.Wait() // each of the first two calls waits for the other one
			}
			if id == ids[3] {
				return errors.New("no connection")
			}
			return nil
		}
		reportedIDs, err := tick(t, c, nil)
		require.ErrorContains(t, err, "customer customer_003: no connection")
		slices.Sort(processed)
		assert.Equal(t, ids, processed)
		assert.Equal(t, ids[:3], reportedIDs)
	})
}
