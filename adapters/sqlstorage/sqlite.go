package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vc-admin/diy/domain/fault"
)

const sqliteDriver = "sqlite"

// sqlitePragmas apply to every connection. WAL lets reads run during a write. FULL makes commits survive a power failure.
// Timestamps are stored as UTC text, which sorts chronologically.
const sqlitePragmas = "_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)" +
	"&_pragma=synchronous(FULL)&_timezone=UTC&_time_format=sqlite"

// sqliteDialect needs no row locks, because an immediate transaction locks the whole database when it begins.
var sqliteDialect = &dialect{
	goose:         goose.DialectSQLite3,
	migrations:    "sqlite",
	rebind:        func(statement string) string { return statement },
	classify:      classifySQLite,
	checkWritable: checkSQLiteWritable,
}

// openSQLite opens the file with one connection for writes and a pool for reads. SQLite allows one writer at a time.
// Writers queue for the connection, which is fairer and faster than polling the file lock.
func openSQLite(ctx context.Context, path string) (*Store, error) {
	if err := createDatabaseFile(path); err != nil {
		return nil, err
	}
	sqlx.BindDriver(sqliteDriver, sqlx.QUESTION)
	writePool, err := openSQLitePool(ctx, sqliteDSN(path, "_txlock=immediate"), 1)
	if err != nil {
		return nil, err
	}
	readPool, err := openSQLitePool(ctx, sqliteDSN(path, "_pragma=query_only(1)"), max(4, 2*runtime.GOMAXPROCS(0)))
	if err != nil {
		return nil, errors.Join(err, writePool.Close())
	}
	return newStore(writePool, readPool, sqliteDialect)
}

// parseSQLiteURL returns the path of a URL. It rejects URLs in the syntax of other tools, which would
// otherwise create a file with an unexpected name.
func parseSQLiteURL(url string) (string, error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	switch {
	case !ok:
		return "", invalidURL("The database's URL must read sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")
	case path == "", strings.HasSuffix(path, "/"):
		return "", invalidURL("The database's URL names no file: write sqlite:PATH")
	case strings.HasPrefix(path, "//"):
		return "", invalidURL("The database's URL has no host: write sqlite:PATH, with one slash when the path is absolute")
	case strings.ContainsAny(path, "?\x00"):
		return "", invalidURL("The database's URL takes no options: write sqlite:PATH")
	case path == ":memory:":
		return "", invalidURL("The database must be a file: a database in memory would be lost")
	}
	return path, nil
}

// createDatabaseFile creates the folder and an empty file that only the owner may read. SQLite creates its other files
// with the mode of this file. An existing file keeps its mode.
func createDatabaseFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The folder of the database can't be created")
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The database file can't be created")
	}
	return file.Close()
}

func openSQLitePool(ctx context.Context, dsn string, connections int) (*sqlx.DB, error) {
	connector, err := newSQLiteConnector(dsn)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "The database can't be opened")
	}
	return initPool(ctx, sqlx.NewDb(sql.OpenDB(connector), sqliteDriver), connections)
}

// sqliteDSN returns the data source name of a database file. The path may contain any character.
func sqliteDSN(path, option string) string {
	name := url.URL{Path: path}
	return fmt.Sprintf("file:%s?%s&%s", name.EscapedPath(), sqlitePragmas, option)
}

func classifySQLite(err error) failure {
	sqliteErr, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return failureOther
	}
	switch sqliteErr.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return failureUnique
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return failureForeignKey
	}
	switch sqliteErr.Code() & 0xff { // the primary result code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOMEM,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return failureTransient
	}
	return failureOther
}
