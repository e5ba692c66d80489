package sqlstorage_test

import (
	"database/sql"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

// Where somebody has made serializable the rule, losing against another writer is nobody's fault.
func TestPostgresUpdateThatCannotBeSerialisedRunsAgain(t *testing.T) {
	s := migrated(t, postgresKind.ready(t)+"&default_transaction_isolation=serializable")
	ada := registered(t, s, "ada")
	other := begun(t, s.DB(), "UPDATE users SET last_name = 'King' WHERE id = $1", ada)
	var waiting sync.WaitGroup
	waiting.Go(func() {
		got, err := s.UpdateUser(t.Context(), ada, renamed("Ada"))
		assert.NoError(t, err)
		assert.Equal(t, "King", got.LastName, "what the other one wrote was read")
	})
	requireWaiting(t, s)
	require.NoError(t, other.Commit())
	waiting.Wait()
}

func TestPostgresDeadlockIsTriedAgain(t *testing.T) {
	url := postgresKind.ready(t)
	s := migrated(t, url+"&deadlock_timeout=1500ms") // it is the one that notices
	registered(t, s, "ada")
	registered(t, s, "bob")
	other := begun(t, opened(t, url+"&deadlock_timeout=1min").DB(), "DELETE FROM verifications WHERE token_hash = 'bob'")
	var waiting sync.WaitGroup
	waiting.Go(func() { assert.NoError(t, s.SweepVerifications(t.Context(), noon.Add(time.Hour))) })
	requireWaiting(t, s) // it has deleted ada's and waits for bob's
	_, err := other.ExecContext(t.Context(), "DELETE FROM verifications WHERE token_hash = 'ada'")
	require.NoError(t, err)
	require.NoError(t, other.Rollback())
	waiting.Wait()
	for _, token := range []string{"ada", "bob"} {
		_, err = s.Verification(t.Context(), token)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
	}
}

// begun is a transaction of somebody else's, which has run the statement.
func begun(t *testing.T, db *sql.DB, statement string, args ...any) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), statement, args...)
	require.NoError(t, err)
	return tx
}

// requireWaiting returns once somebody waits for a lock.
func requireWaiting(t *testing.T, s *sqlstorage.Store) {
	t.Helper()
	require.Eventually(t, func() bool {
		var waiting bool
		err := s.Reads().QueryRowContext(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting)
		return err == nil && waiting
	}, 10*time.Second, 5*time.Millisecond)
}
