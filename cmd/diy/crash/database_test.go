package crash

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

// databaseFailure makes the database of a server fail and restores the database before it returns.
type databaseFailure func(h *harness, db *sql.DB)

func newDatabaseHarness(t *testing.T, database string) *harness {
	t.Helper()
	return newHarness(t, serverBinary(t), database, rand.Uint64N(200))
}

// requireRecovery requires that a running server recovers from the failure without a restart, that the users complete
// their requests, and that no data is lost or duplicated.
func (h *harness) requireRecovery(fail databaseFailure) {
	t := h.t
	t.Helper()
	var users sync.WaitGroup
	server := h.startServer("")
	for range concurrentUsers {
		users.Go(func() { h.runUsers(t.Context(), rand.New(rand.NewPCG(rand.Uint64(), 0))) })
	}
	h.waitForProgress()
	fail(h, h.openDatabase(h.database))
	require.Eventually(t, func() bool { return isReady(t.Context(), *h.launcher.origin.Load()) }, timeout,
		10*time.Millisecond)
	h.advanceRunningClocks(takeoverDelay)
	h.waitForProgress()
	h.isStopping.Store(true)
	users.Wait()
	select {
	case <-server.exited:
		assert.Fail(t, "the server has exited", server.logText(t))
	default:
	}
	h.kill(server, killWhilePaused)
	h.settleAndCompare()
	assert.Empty(t, strings.Join(h.report.problems, "\n"))
	t.Logf("%d requests acknowledged", h.report.total().acknowledgements)
}

// advanceRunningClocks moves the clocks of the running server and of the provider. It waits at most a second for the
// response, which the server sends when the provider is idle.
func (h *harness) advanceRunningClocks(d time.Duration) {
	h.t.Helper()
	h.launcher.wasClockMoved.Store(true)
	if h.stripe != nil {
		h.stripe.advance(h.t, d)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Second)
	defer cancel()
	_, _ = newClient(&h.launcher).sendOnce(ctx, http.MethodPost, *h.launcher.origin.Load()+"/dev/clock",
		map[string]string{"advance": d.String()})
}

// waitForProgress waits until the server has acknowledged four more requests per user.
func (h *harness) waitForProgress() {
	h.t.Helper()
	target := h.report.acknowledgementsSinceKill() + 4*concurrentUsers
	require.Eventually(h.t, func() bool { return h.report.acknowledgementsSinceKill() >= target }, timeout, 10*time.Millisecond)
}

// openDatabase opens a database as another program does.
func (h *harness) openDatabase(url string) *sql.DB {
	h.t.Helper()
	driver, name := "pgx", url+"&application_name=other"
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db, err := sql.Open(driver, name)
	require.NoError(h.t, err)
	h.t.Cleanup(func() { assert.NoError(h.t, db.Close()) })
	return db
}

// waitUntilUnavailable waits until a sign-up is refused with 503, and requires that the message names no internals.
func (h *harness) waitUntilUnavailable() {
	h.t.Helper()
	c := newClient(&h.launcher)
	origin := *h.launcher.origin.Load()
	var last response
	require.Eventually(h.t, func() bool {
		_, _ = c.sendOnce(h.t.Context(), http.MethodGet, origin+"/vc-admin/diy/config.json", nil)
		var err error
		last, err = c.sendOnce(h.t.Context(), http.MethodPost, origin+"/vc-admin/signup",
			registrationBody("Refused Clinic", "refused@clinic.example"))
		require.NoError(h.t, err)
		return last.status == http.StatusServiceUnavailable
	}, timeout, 10*time.Millisecond, "%s", &last)
	var problem struct{ Name, Message string }
	require.NoError(h.t, last.decode(&problem))
	assert.Equal(h.t, "ERRPROVIDER", problem.Name)
	assert.Contains(h.t, problem.Message, "database")
	for _, word := range []string{"SQL", "lock", "disk", "insert", "organisations"} {
		assert.NotContains(h.t, strings.ToLower(problem.Message), strings.ToLower(word))
	}
}

// execUntilSuccess repeats a statement until it succeeds, because it may conflict with statements of the server.
func (h *harness) execUntilSuccess(db *sql.DB, statement string) {
	h.t.Helper()
	var err error
	require.Eventually(h.t, func() bool {
		_, err = db.ExecContext(h.t.Context(), statement)
		return err == nil
	}, timeout, 10*time.Millisecond, "%s: %v", statement, &err)
}

const terminateConnectionsSQL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity " +
	"WHERE datname = current_database() AND application_name <> 'other'"

func TestPostgres_RecoversFromTerminatedConnections(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for range 20 {
			<-ticker.C
			h.execUntilSuccess(db, terminateConnectionsSQL)
		}
	})
}

func TestPostgres_RecoversFromAnOutage(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		var name string
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name))
		admin := h.openDatabase(strings.Replace(h.database, "/"+name+"?", "/postgres?", 1))
		h.execUntilSuccess(admin, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false")
		h.execUntilSuccess(db, terminateConnectionsSQL)
		h.waitUntilUnavailable()
		assert.False(t, isReady(t.Context(), *h.launcher.origin.Load()))
		h.execUntilSuccess(admin, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS true")
	})
}

func TestPostgres_RecoversFromALock(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		tx, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = tx.ExecContext(t.Context(), "LOCK TABLE goose_db_version, organisations IN ACCESS EXCLUSIVE MODE")
		require.NoError(t, err)
		h.waitUntilUnavailable()
		assert.False(t, isReady(t.Context(), *h.launcher.origin.Load()))
		require.NoError(t, tx.Rollback())
	})
}

func TestPostgres_RecoversFromAFullDisk(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		h.execUntilSuccess(db, `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`)
		for _, table := range []string{"organisations", "users", "operations", "sessions", "subscriptions"} {
			h.execUntilSuccess(db, "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON "+table+" EXECUTE FUNCTION full_disk()")
		}
		h.waitUntilUnavailable()
		h.execUntilSuccess(db, "DROP FUNCTION full_disk CASCADE")
	})
}

func TestSQLite_RecoversFromALock(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, "").requireRecovery(func(h *harness, db *sql.DB) {
		conn, err := db.Conn(t.Context())
		require.NoError(t, err)
		_, err = conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 20000; BEGIN EXCLUSIVE")
		require.NoError(t, err)
		h.waitUntilUnavailable()
		assert.True(t, isReady(t.Context(), *h.launcher.origin.Load()), "reads succeed")
		_, err = conn.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	})
}
