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

// failure makes the database of a server fail and restores it before it returns.
type failure func(h *harness, db *sql.DB)

func newDatabaseHarness(t *testing.T, database string) *harness {
	t.Helper()
	return newHarness(t, serverBinary(t), database, rand.Uint64N(200))
}

// requireRecovery requires that a running server recovers from the failure without a restart, that all users
// complete their requests, and that nothing is lost or duplicated.
func (h *harness) requireRecovery(fail failure) {
	t := h.t
	t.Helper()
	var users sync.WaitGroup
	server := h.start("")
	for range concurrentUsers {
		users.Go(func() { h.runUsers(t.Context(), rand.New(rand.NewPCG(rand.Uint64(), 0))) })
	}
	h.waitForProgress()
	fail(h, h.open(h.database))
	require.Eventually(t, func() bool { return isReady(t.Context(), *h.site.address.Load()) }, timeout, 10*time.Millisecond)
	h.advanceLive(takeoverDelay)
	h.waitForProgress()
	h.done.Store(true)
	users.Wait()
	select {
	case <-server.ended:
		assert.Fail(t, "the server has exited", server.logText(t))
	default:
	}
	h.kill(server, whilePaused)
	h.compare()
	assert.Empty(t, strings.Join(h.report.problems, "\n"))
	t.Logf("%d requests acknowledged", h.report.sum().acknowledged)
}

// advanceLive moves the clock of the running server and the provider's. It does not wait for the response,
// which comes when the provider is idle.
func (h *harness) advanceLive(d time.Duration) {
	h.t.Helper()
	h.site.moved.Store(true)
	if h.stripe != nil {
		h.stripe.advance(h.t, d)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Second)
	defer cancel()
	_, _ = newClient(&h.site).sendOnce(ctx, http.MethodPost, *h.site.address.Load()+"/dev/clock",
		map[string]string{"advance": d.String()})
}

// waitForProgress waits until the users have sent more requests.
func (h *harness) waitForProgress() {
	h.t.Helper()
	begin := h.report.acknowledgedSinceKill()
	require.Eventually(h.t, func() bool { return h.report.acknowledgedSinceKill() >= begin+4*concurrentUsers }, timeout,
		10*time.Millisecond)
}

// open opens a database as another program does.
func (h *harness) open(url string) *sql.DB {
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

// requireUnavailable waits until a sign-up is rejected with a message that names no internals.
func (h *harness) requireUnavailable() {
	h.t.Helper()
	b := newClient(&h.site)
	address := *h.site.address.Load()
	var last response
	require.Eventually(h.t, func() bool {
		_, _ = b.sendOnce(h.t.Context(), http.MethodGet, address+"/vc-admin/diy/config.json", nil)
		var err error
		last, err = b.sendOnce(h.t.Context(), http.MethodPost, address+"/vc-admin/signup",
			registration("Nobody", "nobody@clinic.example"))
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

// run executes a statement, repeatedly while it conflicts with the server's.
func (h *harness) run(db *sql.DB, statement string) {
	h.t.Helper()
	var err error
	require.Eventually(h.t, func() bool {
		_, err = db.ExecContext(h.t.Context(), statement)
		return err == nil
	}, timeout, 10*time.Millisecond, "%s: %v", statement, &err)
}

const terminateConnections = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'other'"

func TestPostgres_RecoversFromCutConnections(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for range 20 {
			<-ticker.C
			h.run(db, terminateConnections)
		}
	})
}

func TestPostgres_RecoversFromAnOutage(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		var name string
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name))
		admin := h.open(strings.Replace(h.database, "/"+name+"?", "/postgres?", 1))
		h.run(admin, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false")
		h.run(db, terminateConnections)
		h.requireUnavailable()
		assert.False(t, isReady(t.Context(), *h.site.address.Load()))
		h.run(admin, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS true")
	})
}

func TestPostgres_RecoversFromALock(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		lock, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = lock.ExecContext(t.Context(), "LOCK TABLE goose_db_version, organisations IN ACCESS EXCLUSIVE MODE")
		require.NoError(t, err)
		h.requireUnavailable()
		assert.False(t, isReady(t.Context(), *h.site.address.Load()))
		require.NoError(t, lock.Rollback())
	})
}

func TestPostgres_RecoversFromAFullDisk(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, postgrestest.URL(t)).requireRecovery(func(h *harness, db *sql.DB) {
		h.run(db, `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`)
		for _, table := range []string{"organisations", "users", "operations", "sessions", "subscriptions"} {
			h.run(db, "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON "+table+" EXECUTE FUNCTION full_disk()")
		}
		h.requireUnavailable()
		h.run(db, "DROP FUNCTION full_disk CASCADE")
	})
}

func TestSQLite_RecoversFromALock(t *testing.T) {
	t.Parallel()
	newDatabaseHarness(t, "").requireRecovery(func(h *harness, db *sql.DB) {
		lock, err := db.Conn(t.Context())
		require.NoError(t, err)
		_, err = lock.ExecContext(t.Context(), "PRAGMA busy_timeout = 20000; BEGIN EXCLUSIVE")
		require.NoError(t, err)
		h.requireUnavailable()
		assert.True(t, isReady(t.Context(), *h.site.address.Load()), "reads succeed")
		_, err = lock.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
		require.NoError(t, lock.Close())
	})
}
