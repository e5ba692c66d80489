package tables_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

func (e *env) keys() tables.Keys {
	return tables.Keys{Database: e.Database(), Table: "test_responses"}
}

// insertCustomer sends a request with the key "key" and returns the result of DoOnce. The request stores a customer, and
// then fails with failure if that is not nil.
func (e *env) insertCustomer(ctx context.Context, id string, failure error) (string, error) {
	return tables.DoOnce(ctx, e.keys(), "insert", "key", id, func(tx plugin.Tx) (string, error) {
		if _, err := tx.Exec(ctx, "INSERT INTO test_customers (id, next_at) VALUES (?, 0)", id); err != nil {
			return "", err
		}
		return id, failure
	})
}

func (e *env) countCustomers(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, e.Database().Read(t.Context(), func(tx plugin.Tx) error {
		return tx.Get(t.Context(), &n, "SELECT COUNT(*) FROM test_customers")
	}))
	return n
}

func customerExists(plugin.Tx) error { return nil }

func TestDoOnce_RepeatedRequestReturnsTheStoredResponse(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		for range 2 {
			id, err := e.insertCustomer(t.Context(), "customer", nil)
			require.NoError(t, err)
			assert.Equal(t, "customer", id)
		}
		_, err := e.insertCustomer(t.Context(), "other", nil)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), "a different request with the key")
		assert.Equal(t, 1, e.countCustomers(t))
	})
}

func TestDoOnce_ConcurrentRequestsActOnce(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		var wg sync.WaitGroup
		var successCount atomic.Int32
		for range 8 {
			wg.Go(func() {
				if _, err := e.insertCustomer(t.Context(), "customer", nil); err == nil {
					successCount.Add(1)
				}
			})
		}
		wg.Wait()
		assert.EqualValues(t, 8, successCount.Load())
		assert.Equal(t, 1, e.countCustomers(t))
	})
}

func TestDoOnce_RefusalIsStoredAndChangesNothing(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		_, err := e.insertCustomer(t.Context(), "customer", fault.New(fault.Invalid, "No."))
		require.Equal(t, fault.Invalid, fault.CodeOf(err))
		assert.Zero(t, e.countCustomers(t))

		_, err = e.insertCustomer(t.Context(), "customer", nil)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), "the same response")
	})
}

func TestDoOnce_FailureIsNotStored(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		_, err := e.insertCustomer(t.Context(), "customer", errors.New("connection reset"))
		require.ErrorContains(t, err, "connection reset")
		assert.Zero(t, e.countCustomers(t))

		_, err = e.insertCustomer(t.Context(), "customer", nil)
		require.NoError(t, err)
		assert.Equal(t, 1, e.countCustomers(t))
	})
}

func TestRetire_LaterRequestIsRefused(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		retirement := payment.Retirement{Key: "key", CustomerID: "customer"}
		for range 2 {
			require.NoError(t, e.keys().Retire(t.Context(), retirement, customerExists))
		}
		_, err := e.insertCustomer(t.Context(), "customer", nil)
		require.ErrorIs(t, err, payment.ErrKeyRetired)
		assert.Zero(t, e.countCustomers(t))
	})
}

func TestRetire_RequestThatHasActedIsConflict(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		_, err := e.insertCustomer(t.Context(), "customer", nil)
		require.NoError(t, err)
		err = e.keys().Retire(t.Context(), payment.Retirement{Key: "key"}, customerExists)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	})
}

func TestRetire_UnknownCustomerIsNotFound(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		errUnknown := fault.New(fault.NotFound, "No.")
		err := e.keys().Retire(t.Context(), payment.Retirement{Key: "key"}, func(plugin.Tx) error { return errUnknown })
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
		_, err = e.insertCustomer(t.Context(), "customer", nil)
		assert.NoError(t, err, "the key is not retired")
	})
}

func TestDeleteExpired_DeletesResponsesAfterTheirRetention(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		now := noon
		e.UseClock(func() time.Time { return now })
		require.NoError(t, e.keys().Retire(t.Context(), payment.Retirement{Key: "key"}, customerExists))
		keysAfterDeletion := func() (keys []string) {
			require.NoError(t, e.keys().DeleteExpired(t.Context()))
			require.NoError(t, e.Database().Read(t.Context(), func(tx plugin.Tx) error {
				return tx.List(t.Context(), &keys, "SELECT key FROM test_responses ORDER BY key")
			}))
			return keys
		}
		now = noon.Add(tables.KeyRetention)
		assert.Equal(t, []string{"key"}, keysAfterDeletion())
		now = now.Add(time.Second)
		assert.Empty(t, keysAfterDeletion())
	})
}
