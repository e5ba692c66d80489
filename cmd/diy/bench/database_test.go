package bench

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

// onEach measures on both databases. newDatabase makes another empty one, with its tables.
func onEach(b *testing.B, measure func(b *testing.B, kind string, newDatabase func(*testing.B) string)) {
	b.Run("SQLite", func(b *testing.B) { measure(b, "SQLite", newSQLite) })
	b.Run("PostgreSQL", func(b *testing.B) { measure(b, "PostgreSQL", newPostgres) })
}

func newSQLite(b *testing.B) string {
	b.Helper()
	return migrated(b, "sqlite:"+filepath.Join(b.TempDir(), "diy.db"))
}

func newPostgres(b *testing.B) string {
	b.Helper()
	return migrated(b, postgrestest.URL(b))
}

func migrated(b *testing.B, url string) string {
	b.Helper()
	store := openStore(b, url)
	require.NoError(b, store.Migrate(b.Context()))
	return url
}

// openStore opens a database for this program, beside the server.
func openStore(b *testing.B, url string) *sqlstorage.Store {
	b.Helper()
	store, err := sqlstorage.Open(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { _ = store.Close() }) // the database is dropped anyway
	return store
}

// commits writes one row in a transaction of its own, as plainly as can be.
type commits struct {
	db     *sql.DB
	insert string
}

// bareCommits are on a database with the same settings, that is nobody else's.
func bareCommits(b *testing.B, url string) commits {
	b.Helper()
	db := openStore(b, url).Pools()["writes"]
	_, err := db.ExecContext(b.Context(), "CREATE TABLE bare (written TEXT)")
	require.NoError(b, err)
	return commits{db: db, insert: inDialect(url, "INSERT INTO bare (written) VALUES (?)")}
}

func (c commits) commit(b *testing.B) error {
	b.Helper()
	tx, err := c.db.BeginTx(b.Context(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if _, err := tx.ExecContext(b.Context(), c.insert, strings.Repeat("x", 60)); err != nil {
		return err
	}
	return tx.Commit()
}
