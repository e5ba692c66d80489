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

// trouble is something that happens to the database of a server while people are at it. It is
// over when it returns.
type trouble func(w *world, db *sql.DB)

func troubled(t *testing.T, database string) *world {
	t.Helper()
	return newWorld(t, binary(t), database, rand.Uint64N(200))
}

// mends has the trouble happen to a server that goes on, and wants everybody to get where they
// want to in the end, without a restart, and nothing to be lost or doubled.
func (w *world) mends(happens trouble) {
	t := w.t
	t.Helper()
	var people sync.WaitGroup
	server := w.start("")
	for range crowd {
		people.Go(func() { w.live(t.Context(), rand.New(rand.NewPCG(rand.Uint64(), 0))) })
	}
	w.goesOn()
	happens(w, w.open(w.database))
	require.Eventually(t, func() bool { return isReady(t.Context(), *w.site.address.Load()) }, patience, 10*time.Millisecond)
	w.waits(aWhile)
	w.goesOn()
	w.over.Store(true)
	people.Wait()
	select {
	case <-server.ended:
		assert.Fail(t, "the server gave up", server.said(t))
	default:
	}
	w.kill(server, idle)
	w.compare()
	assert.Empty(t, strings.Join(w.report.problems, "\n"))
	t.Logf("%d requests acknowledged", w.report.sum().acknowledged)
}

// waits lets time go by for the server and its provider: what the trouble left in doubt keeps
// others waiting that long. The clock moves at once; its answer, which would come when nothing more
// happens, is not waited for.
func (w *world) waits(d time.Duration) {
	w.t.Helper()
	if w.stripe != nil {
		w.stripe.letPass(w.t, d)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
	defer cancel()
	_, _ = newBrowser(&w.site).once(ctx, http.MethodPost, *w.site.address.Load()+"/dev/clock", map[string]string{"advance": d.String()})
}

// goesOn waits until people have got some way further.
func (w *world) goesOn() {
	w.t.Helper()
	begin := w.report.soFar()
	require.Eventually(w.t, func() bool { return w.report.soFar() >= begin+4*crowd }, patience, 10*time.Millisecond)
}

// open reaches a database as another program does.
func (w *world) open(url string) *sql.DB {
	w.t.Helper()
	driver, name := "pgx", url+"&application_name=other"
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db, err := sql.Open(driver, name)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { assert.NoError(w.t, db.Close()) })
	return db
}

// refusesPlainly waits until a sign-up is refused, in words for a person: nothing is kept of it,
// nobody has to know the database, and it is said when to come again.
func (w *world) refusesPlainly() {
	w.t.Helper()
	b := newBrowser(&w.site)
	address := *w.site.address.Load()
	var last answer
	require.Eventually(w.t, func() bool {
		_, _ = b.once(w.t.Context(), http.MethodGet, address+"/vc-admin/diy/config.json", nil)
		var err error
		last, err = b.once(w.t.Context(), http.MethodPost, address+"/vc-admin/signup", registration("Nobody", "nobody@clinic.example"))
		require.NoError(w.t, err)
		return last.status == http.StatusServiceUnavailable
	}, patience, 10*time.Millisecond, "%s", &last)
	var said struct{ Name, Message string }
	require.NoError(w.t, last.into(&said))
	assert.Equal(w.t, "ERRPROVIDER", said.Name)
	assert.Contains(w.t, said.Message, "database")
	for _, word := range []string{"SQL", "lock", "disk", "insert", "organisations"} {
		assert.NotContains(w.t, strings.ToLower(said.Message), strings.ToLower(word))
	}
}

// run runs a statement, and again when it has collided with what the server is at.
func (w *world) run(db *sql.DB, statement string) {
	w.t.Helper()
	var err error
	require.Eventually(w.t, func() bool {
		_, err = db.ExecContext(w.t.Context(), statement)
		return err == nil
	}, patience, 10*time.Millisecond, "%s: %v", statement, &err)
}

const cutAll = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'other'"

func TestPostgresConnectionsThatAreCutAllTheTimeLoseNothing(t *testing.T) {
	t.Parallel()
	troubled(t, postgrestest.URL(t)).mends(func(w *world, db *sql.DB) {
		again := time.NewTicker(200 * time.Millisecond)
		defer again.Stop()
		for range 20 {
			<-again.C
			w.run(db, cutAll)
		}
	})
}

func TestPostgresThatIsAwayForAWhileLosesNothing(t *testing.T) {
	t.Parallel()
	troubled(t, postgrestest.URL(t)).mends(func(w *world, db *sql.DB) {
		var name string
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name))
		admin := w.open(strings.Replace(w.database, "/"+name+"?", "/postgres?", 1))
		w.run(admin, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false")
		w.run(db, cutAll)
		w.refusesPlainly()
		assert.False(t, isReady(t.Context(), *w.site.address.Load()))
		w.run(admin, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS true")
	})
}

func TestPostgresThatIsLockedForAWhileLosesNothing(t *testing.T) {
	t.Parallel()
	troubled(t, postgrestest.URL(t)).mends(func(w *world, db *sql.DB) {
		lock, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = lock.ExecContext(t.Context(), "LOCK TABLE goose_db_version, organisations IN ACCESS EXCLUSIVE MODE")
		require.NoError(t, err)
		w.refusesPlainly()
		assert.False(t, isReady(t.Context(), *w.site.address.Load()))
		require.NoError(t, lock.Rollback())
	})
}

func TestPostgresWithoutRoomLosesNothing(t *testing.T) {
	t.Parallel()
	troubled(t, postgrestest.URL(t)).mends(func(w *world, db *sql.DB) {
		w.run(db, `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`)
		for _, table := range []string{"organisations", "users", "operations", "sessions", "subscriptions"} {
			w.run(db, "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON "+table+" EXECUTE FUNCTION full_disk()")
		}
		w.refusesPlainly()
		w.run(db, "DROP FUNCTION full_disk CASCADE")
	})
}

func TestAFileThatIsLockedForAWhileLosesNothing(t *testing.T) {
	t.Parallel()
	troubled(t, "").mends(func(w *world, db *sql.DB) {
		lock, err := db.Conn(t.Context())
		require.NoError(t, err)
		_, err = lock.ExecContext(t.Context(), "PRAGMA busy_timeout = 20000; BEGIN EXCLUSIVE")
		require.NoError(t, err)
		w.refusesPlainly()
		assert.True(t, isReady(t.Context(), *w.site.address.Load()), "whoever only reads is served")
		_, err = lock.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
		require.NoError(t, lock.Close())
	})
}
