package sqlstorage

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newSQLiteConn creates a database with one table. It returns a pool for the database, and the pool's only connection.
func newSQLiteConn(t *testing.T) (db *sql.DB, c *sqliteConn) {
	t.Helper()
	connector, err := newSQLiteConnector(sqliteDSN(filepath.Join(t.TempDir(), "diy.db"), "_txlock=immediate"))
	require.NoError(t, err)
	db = sql.OpenDB(connector)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1)
	execSQL(t, db, "CREATE TABLE rooms (name TEXT PRIMARY KEY)")
	sqlConn, err := db.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, sqlConn.Raw(func(dc any) error { c = dc.(*sqliteConn); return nil }))
	require.NoError(t, sqlConn.Close())
	return db, c
}

func execSQL(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement, args...)
	require.NoError(t, err)
}

func selectNames(t *testing.T, db *sql.DB, query string, args ...any) (names []string) {
	t.Helper()
	require.NoError(t, sqlx.NewDb(db, sqliteDriver).SelectContext(t.Context(), &names, query, args...))
	return names
}

const (
	insertRoomSQL = "INSERT INTO rooms (name) VALUES (?)"
	selectRoomSQL = "SELECT name FROM rooms WHERE name = ?"
)

func TestSQLiteStatements_ArePreparedOnce(t *testing.T) {
	db, c := newSQLiteConn(t)
	countBefore := len(c.statements)
	for _, name := range []string{"east", "north"} {
		execSQL(t, db, insertRoomSQL, name)
		assert.Equal(t, []string{name}, selectNames(t, db, selectRoomSQL, name))
	}
	assert.Len(t, c.statements, countBefore+2)
}

func TestSQLiteStatements_CanRunAgainAfterAnError(t *testing.T) {
	db, _ := newSQLiteConn(t)
	execSQL(t, db, insertRoomSQL, "east")
	_, err := db.ExecContext(t.Context(), insertRoomSQL, "east")
	require.ErrorContains(t, err, "UNIQUE")
	execSQL(t, db, insertRoomSQL, "north")
	assert.Equal(t, []string{"north"}, selectNames(t, db, selectRoomSQL, "north"))
}

func TestSQLiteStatements_InvalidStatementsAreNotCached(t *testing.T) {
	db, c := newSQLiteConn(t)
	countBefore := len(c.statements)
	for range 2 {
		err := db.QueryRowContext(t.Context(), "SELECT name FROM halls").Scan(new(string))
		require.ErrorContains(t, err, "no such table")
		_, err = db.ExecContext(t.Context(), "DELETE FROM halls")
		require.ErrorContains(t, err, "no such table")
	}
	assert.Len(t, c.statements, countBefore)
}

func TestSQLiteStatements_ReturnTheColumnsOfAChangedTable(t *testing.T) {
	db, _ := newSQLiteConn(t)
	const selectRoomsSQL = "SELECT * FROM rooms"
	assert.Empty(t, selectNames(t, db, selectRoomsSQL))
	execSQL(t, db, "DROP TABLE rooms")
	execSQL(t, db, "CREATE TABLE rooms (colour TEXT)")
	execSQL(t, db, "INSERT INTO rooms (colour) VALUES ('blue')")
	assert.Equal(t, []string{"blue"}, selectNames(t, db, selectRoomsSQL))
}

func TestSQLiteStatements_CanRunAgainAfterAPartialRead(t *testing.T) {
	db, _ := newSQLiteConn(t)
	execSQL(t, db, insertRoomSQL, "east")
	execSQL(t, db, insertRoomSQL, "north")
	const selectNamesSQL = "SELECT name FROM rooms ORDER BY name"
	var firstName string
	require.NoError(t, db.QueryRowContext(t.Context(), selectNamesSQL).Scan(&firstName))
	assert.Equal(t, []string{"east", "north"}, selectNames(t, db, selectNamesSQL))
}

func TestSQLiteStatements_AreClosedWithTheConnection(t *testing.T) {
	db, c := newSQLiteConn(t)
	execSQL(t, db, insertRoomSQL, "east")
	require.NoError(t, db.Close())
	assert.Empty(t, c.statements)
}
