package sessionidentity

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/alexedwards/scs/sqlite3store"
	"github.com/alexedwards/scs/v2/memstore"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/vc-admin/diy/ports/identity/identitytest"
)

func TestSessionsInMemory(t *testing.T) {
	identitytest.RunSessions(t, func(*testing.T) identitytest.Sessions {
		return harness(memstore.NewWithCleanupInterval(0), newBrowsers())
	})
}

func TestSessionsOnSQLite(t *testing.T) {
	identitytest.RunSessions(t, func(t *testing.T) identitytest.Sessions {
		return harness(sqlite3store.NewWithCleanupInterval(database(t), 0), newBrowsers())
	})
}

func database(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "diy.db")+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(t.Context(), `CREATE TABLE sessions (token TEXT PRIMARY KEY, data BLOB NOT NULL, expiry REAL NOT NULL)`)
	require.NoError(t, err)
	return db
}
