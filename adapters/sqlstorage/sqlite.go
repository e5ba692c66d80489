package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vc-admin/diy/domain/fault"
)

const sqliteDriver = "sqlite"

// sqlitePragmas hold for every connection. WAL lets reads go on beside a write, FULL makes a
// commit survive a power cut, and instants are text in UTC, which sorts as time does.
const sqlitePragmas = "_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)" +
	"&_pragma=synchronous(FULL)&_timezone=UTC&_time_format=sqlite"

// sqliteDialect needs no row locks: a writing transaction is immediate, so it has the database
// to itself from its beginning.
var sqliteDialect = &dialect{
	goose:      goose.DialectSQLite3,
	migrations: "migrations/sqlite",
	classify:   classifySQLite,
	writable:   fileWritable,
}

// openSQLite opens the file with one connection that writes and a pool that only reads. SQLite
// has one writer at a time anyway: waiting for it in the pool is fair and quick, waiting at the
// file is neither.
func openSQLite(ctx context.Context, path string) (*Store, error) {
	if err := prepareFile(path); err != nil {
		return nil, err
	}
	sqlx.BindDriver(sqliteDriver, sqlx.QUESTION)
	writes, err := openSQLitePool(ctx, sqliteDSN(path, "_txlock=immediate"), 1)
	if err != nil {
		return nil, err
	}
	reads, err := openSQLitePool(ctx, sqliteDSN(path, "_pragma=query_only(1)"), readConnections())
	if err != nil {
		return nil, errors.Join(err, writes.Close())
	}
	return newStore(writes, reads, sqliteDialect)
}

func openSQLitePool(ctx context.Context, dsn string, connections int) (*sqlx.DB, error) {
	connector, err := newSQLiteConnector(dsn)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "The database can't be opened")
	}
	return openPool(ctx, sqlx.NewDb(sql.OpenDB(connector), sqliteDriver), connections)
}

// sqliteDSN escapes the path, so that one with odd characters names the file it says.
func sqliteDSN(path, option string) string {
	name := url.URL{Path: path}
	return fmt.Sprintf("file:%s?%s&%s", name.EscapedPath(), sqlitePragmas, option)
}

func readConnections() int { return max(4, 2*runtime.GOMAXPROCS(0)) }

func classifySQLite(err error) failure {
	known, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return failureOther
	}
	switch known.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return failureUnique
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return failureForeignKey
	}
	return classifySQLiteGroup(known.Code() & 0xff)
}

// classifySQLiteGroup looks at an error's primary code; the extended ones only say more exactly
// what the machine or another process was doing.
func classifySQLiteGroup(primary int) failure {
	switch primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOMEM,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return failureTransient
	}
	return failureOther
}
