package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/vc-admin/diy/domain/fault"
)

// dialect contains the differences between the databases.
type dialect struct {
	goose      goose.Dialect
	migrations string // name of the folder of the dialect's migrations

	// rebind replaces the placeholders ? of a statement with those of the database.
	rebind func(statement string) string
	// forUpdate is appended to a SELECT to lock its rows. It is empty if a write transaction locks the
	// whole database.
	forUpdate string
	// forUpdateSkipLocked locks rows as forUpdate does, but skips those that other transactions have locked.
	forUpdateSkipLocked string
	// selectNow queries the database's clock. If it is empty, the database runs on this machine and uses the same clock.
	selectNow string
	// classify returns the kind of failure that an error of the driver reports.
	classify func(error) failure
	// migrationLock lets one server migrate at a time. It is nil for SQLite, which uses Store.lockSQLiteMigrations.
	migrationLock lock.SessionLocker
	// checkWritable returns an error if writes would fail.
	checkWritable func(context.Context, *Store) error
}

// conn runs statements, in a transaction or outside of one, and translates their placeholders.
type conn struct {
	db sqlx.ExtContext
	*dialect
	retryReads bool             // queries are repeated after temporary failures; false in a transaction
	now        func() time.Time // for entries of the audit log; see Store.UseAuditClock
}

// get reads the only row of a query into row. If there is no row, it returns NotFound with the noun in the message.
func (c conn) get(ctx context.Context, noun string, row any, query string, args ...any) error {
	err := c.retryRead(ctx, func() error { return sqlx.GetContext(ctx, c.db, row, c.rebind(query), args...) })
	return c.noRowsToNotFound(err, noun)
}

// noRowsToNotFound returns NotFound with the noun in the message if err means that there is no row, and err otherwise.
func (c conn) noRowsToNotFound(err error, noun string) error {
	// Text that the database rejects as invalid can't be in any row.
	if errors.Is(err, sql.ErrNoRows) || err != nil && c.classify(err) == failureInvalidText {
		return fault.Newf(fault.NotFound, "There is no such %s", noun)
	}
	return err
}

// list reads all rows of a query into the slice to which rows points.
func (c conn) list(ctx context.Context, rows any, query string, args ...any) error {
	return c.retryRead(ctx, func() error {
		reflect.ValueOf(rows).Elem().SetZero() // discard the rows of a failed attempt
		return sqlx.SelectContext(ctx, c.db, rows, c.rebind(query), args...)
	})
}

// retryRead calls run. If retryReads is true, it calls run again after temporary failures.
func (c conn) retryRead(ctx context.Context, run func() error) error {
	if c.retryReads {
		return c.retry(ctx, run)
	}
	return run()
}

// exec runs a statement and returns the number of affected rows.
func (c conn) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := c.db.ExecContext(ctx, c.rebind(statement), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// execNamed runs a statement with the row's columns as named arguments and returns the number of affected rows.
func (c conn) execNamed(ctx context.Context, statement string, row any) (int64, error) {
	result, err := sqlx.NamedExecContext(ctx, c.db, statement, row)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// save inserts or updates a row.
func (c conn) save(ctx context.Context, statement string, row any) error {
	_, err := c.execNamed(ctx, statement, row)
	return err
}
