package sqlstorage

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newConnection returns a pool with one connection to a database with a table, and that connection.
func newConnection(t *testing.T) (db *sql.DB, c *sqliteConn) {
	t.Helper()
	connector, err := newSQLiteConnector(sqliteDSN(filepath.Join(t.TempDir(), "diy.db"), "_txlock=immediate"))
	require.NoError(t, err)
	db = sql.OpenDB(connector)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1)
	run(t, db, "CREATE TABLE rooms (name TEXT PRIMARY KEY)")
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, conn.Raw(func(driverConn any) error { c = driverConn.(*sqliteConn); return nil }))
	require.NoError(t, conn.Close())
	return db, c
}

func run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement, args...)
	require.NoError(t, err)
}

func names(t *testing.T, db *sql.DB, query string, args ...any) (all []string) {
	t.Helper()
	require.NoError(t, sqlx.NewDb(db, sqliteDriver).SelectContext(t.Context(), &all, query, args...))
	return all
}

const (
	addRoom  = "INSERT INTO rooms (name) VALUES (?)"
	findRoom = "SELECT name FROM rooms WHERE name = ?"
)

func TestSQLiteStatementsArePreparedOnce(t *testing.T) {
	db, conn := newConnection(t)
	before := len(conn.statements)
	for _, name := range []string{"east", "north"} {
		run(t, db, addRoom, name)
		assert.Equal(t, []string{name}, names(t, db, findRoom, name))
	}
	assert.Len(t, conn.statements, before+2)
}

func TestSQLiteStatementCanBeRunAgainAfterAnError(t *testing.T) {
	db, _ := newConnection(t)
	run(t, db, addRoom, "east")
	_, err := db.ExecContext(t.Context(), addRoom, "east")
	require.ErrorContains(t, err, "UNIQUE")
	run(t, db, addRoom, "north")
	assert.Equal(t, []string{"north"}, names(t, db, findRoom, "north"))
}

func TestSQLiteInvalidStatementIsNotCached(t *testing.T) {
	db, conn := newConnection(t)
	before := len(conn.statements)
	for range 2 {
		err := db.QueryRowContext(t.Context(), "SELECT name FROM halls").Scan(new(string))
		require.ErrorContains(t, err, "no such table")
		_, err = db.ExecContext(t.Context(), "DELETE FROM halls")
		require.ErrorContains(t, err, "no such table")
	}
	assert.Len(t, conn.statements, before)
}

func TestSQLiteStatementFollowsSchemaChanges(t *testing.T) {
	db, _ := newConnection(t)
	const all = "SELECT * FROM rooms"
	assert.Empty(t, names(t, db, all))
	run(t, db, "DROP TABLE rooms")
	run(t, db, "CREATE TABLE rooms (colour TEXT)")
	run(t, db, "INSERT INTO rooms (colour) VALUES ('blue')")
	assert.Equal(t, []string{"blue"}, names(t, db, all))
}

func TestSQLiteStatementCanBeRunAgainAfterAPartialRead(t *testing.T) {
	db, _ := newConnection(t)
	run(t, db, addRoom, "east")
	run(t, db, addRoom, "north")
	const all = "SELECT name FROM rooms ORDER BY name"
	var first string
	require.NoError(t, db.QueryRowContext(t.Context(), all).Scan(&first))
	assert.Equal(t, []string{"east", "north"}, names(t, db, all))
}

func TestSQLiteConnectionClosesItsStatements(t *testing.T) {
	db, conn := newConnection(t)
	run(t, db, addRoom, "east")
	require.NoError(t, db.Close())
	assert.Empty(t, conn.statements)
}
