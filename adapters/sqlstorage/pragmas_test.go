package sqlstorage_test

import (
	"context"
	"database/sql"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPragmasAreSet(t *testing.T) {
	s := migrated(t, newFile(t))
	for name, pool := range map[string]*sql.DB{"writes": s.DB(), "reads": s.Reads()} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, "wal", pragma(t, pool, "journal_mode"))
			require.Equal(t, "5000", pragma(t, pool, "busy_timeout"))
			require.Equal(t, "1", pragma(t, pool, "foreign_keys"))
			require.Equal(t, "2", pragma(t, pool, "synchronous"), "FULL")
		})
	}
	require.Equal(t, "0", pragma(t, s.DB(), "query_only"))
	require.Equal(t, "1", pragma(t, s.Reads(), "query_only"))
	require.Equal(t, 1, s.DB().Stats().MaxOpenConnections)
	require.Greater(t, s.Reads().Stats().MaxOpenConnections, 1)
}

func pragma(t *testing.T, pool *sql.DB, name string) string {
	t.Helper()
	var value string
	require.NoError(t, pool.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&value))
	return value
}

func TestReadPoolCannotWrite(t *testing.T) {
	s := migrated(t, newFile(t))
	_, err := s.Reads().ExecContext(t.Context(), "DELETE FROM letters")
	require.ErrorContains(t, err, "readonly")
}

// A second writer is kept out from the beginning of a transaction, not from its first write.
func TestTransactionsAreImmediate(t *testing.T) {
	url := newFile(t)
	s := migrated(t, url)
	holdWriteLock(t, s)
	other, err := sql.Open("sqlite", "file:"+path(url)+"?_txlock=immediate")
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	_, err = other.BeginTx(t.Context(), nil)
	require.ErrorContains(t, err, "locked")
}

func TestReadsDoNotWaitForAWriter(t *testing.T) {
	s := migrated(t, newFile(t))
	holdWriteLock(t, s)
	require.NoError(t, s.Ready(t.Context()))
	_, err := s.EventHandled(t.Context(), "event")
	require.NoError(t, err)
	_, err = s.PendingOperations(t.Context(), 0, 10)
	require.NoError(t, err)
}

// Who can't be served for long hears so, instead of standing in line for ever.
func TestWritesDoNotWaitForEver(t *testing.T) {
	s := migrated(t, newFile(t))
	holdWriteLock(t, s)
	s.Hurry(10 * time.Millisecond)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			err := s.RecordEvent(t.Context(), "event", "customer", noon)
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		})
	}
	all.Wait()
}

// holdWriteLock begins a transaction of the store and writes in it until the test ends.
func holdWriteLock(t *testing.T, s *sqlstorage.Store) {
	t.Helper()
	tx, err := s.DB().BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tx.Rollback()) })
}
