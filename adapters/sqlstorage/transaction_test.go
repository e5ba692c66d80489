package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// fakeDialect returns a dialect that classifies errors according to the map.
func fakeDialect(failures map[error]failure) *dialect {
	return &dialect{classify: func(err error) failure {
		for target, f := range failures {
			if errors.Is(err, target) {
				return f
			}
		}
		return failureOther
	}}
}

func TestRetry_RepeatsConflictsAndConnectionsLostBeforeCommit(t *testing.T) {
	errRolledBack, errLost, errBusy := errors.New("rolled back"), errors.New("lost"), errors.New("busy")
	d := fakeDialect(map[error]failure{errRolledBack: failureRolledBack, errLost: failureConnectionLost, errBusy: failureTransient})
	for name, tt := range map[string]struct {
		errs     []error // of each attempt; the last one repeats
		attempts int
	}{
		"success":                        {[]error{nil}, 1},
		"conflicts and lost connections": {[]error{errRolledBack, errLost, errRolledBack, nil}, 4},
		"conflict during commit":         {[]error{commitError{errRolledBack}, nil}, 2},
		"connection lost during commit":  {[]error{commitError{errLost}}, 1},
		"permanent error":                {[]error{errors.New("no")}, 1},
		"busy database":                  {[]error{errBusy}, 1},
		"error of the caller":            {[]error{callerError{errRolledBack}}, 1},
		"conflict in every attempt":      {[]error{errRolledBack}, maxAttempts},
	} {
		t.Run(name, func(t *testing.T) {
			attempts := 0
			err := d.retry(t.Context(), func() error {
				attempts++
				return tt.errs[min(attempts, len(tt.errs))-1]
			})
			require.Equal(t, tt.attempts, attempts)
			require.Equal(t, tt.errs[len(tt.errs)-1], err)
		})
	}
}

func TestRetry_StopsWhenTheContextEnds(t *testing.T) {
	errRolledBack := errors.New("rolled back")
	d := fakeDialect(map[error]failure{errRolledBack: failureRolledBack})
	ctx, cancel := context.WithCancel(t.Context())
	attempts := 0

	err := d.retry(ctx, func() error {
		attempts++
		cancel()
		return errRolledBack
	})

	require.ErrorIs(t, err, errRolledBack)
	require.Equal(t, 1, attempts)
}

// holdWriteLock keeps a write transaction open until the test ends.
func holdWriteLock(t *testing.T, s *Store) {
	t.Helper()
	tx, err := s.writePool.BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tx.Rollback()) })
}

func TestReads_DoNotWaitForWriters(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		require.NoError(t, s.Sessions().AddSession(t.Context(), newSession(signUp(t, s, "ada", noon), "laptop")))
		holdWriteLock(t, s)

		require.NoError(t, s.Ready(t.Context()))
		_, err := s.EventHandled(t.Context(), "event")
		require.NoError(t, err)
		_, err = s.Organisation(t.Context(), "unknown")
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		_, err = s.PendingOperations(t.Context(), 0, 10)
		require.NoError(t, err)
		requireSession(t, s, "laptop", true)
	})
}

func TestWrites_AreUnavailableAfterTheBeginTimeout(t *testing.T) {
	s := openAndMigrate(t, newMigratedSQLiteURL(t))
	holdWriteLock(t, s)
	s.beginTimeout = 10 * time.Millisecond
	var writers sync.WaitGroup
	for range 3 {
		writers.Go(func() {
			err := s.RecordEvent(t.Context(), storage.ReceivedEvent{ID: "event", Type: "customer", Outcome: storage.EventApplied, ReceivedAt: noon})
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		})
	}
	writers.Wait()
}

func TestWrites_AreUnavailableAfterTheDeadline(t *testing.T) {
	s := openAndMigrate(t, newMigratedSQLiteURL(t))
	holdWriteLock(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := s.RecordEvent(ctx, storage.ReceivedEvent{ID: "event", Type: "customer", Outcome: storage.EventApplied, ReceivedAt: noon})
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestWrites_AreUnavailableWhileAnotherProcessWrites(t *testing.T) {
	url := newMigratedSQLiteURL(t)
	s := openAndMigrate(t, url)
	exec(t, s, "PRAGMA busy_timeout = 10")
	otherDB, err := sql.Open("sqlite", "file:"+pathFromURL(url)+"?_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, otherDB.Close()) })
	tx, err := otherDB.BeginTx(t.Context(), nil)
	require.NoError(t, err)

	err = s.RecordEvent(t.Context(), storage.ReceivedEvent{ID: "event", Type: "customer", Outcome: storage.EventApplied, ReceivedAt: noon})
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "SQLITE_BUSY")

	require.NoError(t, tx.Rollback())
	require.NoError(t, s.RecordEvent(t.Context(), storage.ReceivedEvent{ID: "event", Type: "customer", Outcome: storage.EventApplied, ReceivedAt: noon}))
}

func TestSQLiteTransactions_LockWhenTheyBegin(t *testing.T) {
	url := newMigratedSQLiteURL(t)
	s := openAndMigrate(t, url)
	holdWriteLock(t, s)
	otherDB, err := sql.Open("sqlite", "file:"+pathFromURL(url)+"?_txlock=immediate")
	require.NoError(t, err)
	defer func() { require.NoError(t, otherDB.Close()) }()
	_, err = otherDB.BeginTx(t.Context(), nil)
	require.ErrorContains(t, err, "locked")
}
