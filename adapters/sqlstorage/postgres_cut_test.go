package sqlstorage_test

import (
	"context"
	"database/sql"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// A database that was started anew has cut every connection, and nobody notices.
func TestPostgresCutConnectionsAreReplaced(t *testing.T) {
	url := postgresKind.ready(t)
	s, killer := migrated(t, url), opened(t, url+"&application_name=killer")
	ada := registered(t, s, "ada")
	for range 3 {
		fill(t, s.DB())
		fill(t, s.Reads())
		cut(t, killer)
		_, err := s.User(t.Context(), ada)
		require.NoError(t, err)
		_, err = s.Organisation(t.Context(), "ada's")
		require.NoError(t, err)
		require.NoError(t, s.RecordEvent(t.Context(), "event", "customer", noon))
		require.NoError(t, s.Ready(t.Context()))
	}
}

// Up to the commit it is certain that nothing was written, so the work is done again.
func TestPostgresUpdateIsDoneAgainWhenItsConnectionIsCut(t *testing.T) {
	url := postgresKind.ready(t)
	s, killer := migrated(t, url), opened(t, url+"&application_name=killer")
	ada := registered(t, s, "ada")
	runs := 0
	got, err := s.UpdateUser(t.Context(), ada, func(u *account.User) error {
		if runs++; runs < 3 {
			cut(t, killer)
		}
		u.FirstName += "!"
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, runs)
	require.Equal(t, "!", got.FirstName)
}

// Of a commit that was cut nobody knows; of everything else the store tells the truth.
func TestPostgresLosesNothingWhileConnectionsAreCut(t *testing.T) {
	url := postgresKind.ready(t)
	s, killer := migrated(t, url), opened(t, url+"&application_name=killer")
	ada := registered(t, s, "ada")
	var counted, unknown atomic.Int64
	var workers, cutting sync.WaitGroup
	ctx, done := context.WithCancel(t.Context())
	cutting.Go(func() {
		for tick := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			cut(t, killer)
		}
	})
	for range 4 {
		workers.Go(func() {
			for range 50 {
				if _, err := s.UpdateUser(t.Context(), ada, countUp); err == nil {
					counted.Add(1)
				} else if assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "%v", err) {
					unknown.Add(1)
				}
			}
		})
	}
	workers.Wait()
	done()
	cutting.Wait()

	got, err := s.User(t.Context(), ada)
	require.NoError(t, err)
	count, err := strconv.ParseInt(got.FirstName, 10, 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, count, counted.Load(), "what was acknowledged is there")
	require.LessOrEqual(t, count, counted.Load()+unknown.Load(), "and nothing twice")
	t.Logf("%d acknowledged, %d unknown, %d written", counted.Load(), unknown.Load(), count)
}

func countUp(u *account.User) error {
	count, _ := strconv.Atoi(u.FirstName) // nothing is none
	u.FirstName = strconv.Itoa(count + 1)
	return nil
}

// cut ends the connections of all others to the database: it tells all of them, and then waits
// for each.
func cut(t *testing.T, killer *sqlstorage.Store) {
	t.Helper()
	for _, patience := range []int{0, 5000} {
		_, err := killer.DB().ExecContext(t.Context(), `SELECT pg_terminate_backend(pid, $1) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name <> 'killer'`, patience)
		assert.NoError(t, err)
	}
}

// fill opens all connections of a pool.
func fill(t *testing.T, pool *sql.DB) {
	t.Helper()
	var all []*sql.Conn
	for range pool.Stats().MaxOpenConnections {
		conn, err := pool.Conn(t.Context())
		require.NoError(t, err)
		all = append(all, conn)
	}
	for _, conn := range all {
		require.NoError(t, conn.Close())
	}
}
