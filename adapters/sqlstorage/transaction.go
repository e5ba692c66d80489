package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	// commitTimeout limits a commit. The caller's context doesn't cancel a commit, so that its outcome is known.
	commitTimeout = 15 * time.Second

	// defaultBeginTimeout limits the wait for a connection of the pool and for SQLite's file lock. Without the limit, while
	// another program holds the file lock, each call would also wait for all calls before it.
	defaultBeginTimeout = 10 * time.Second

	// maxAttempts limits retries. All connections of a pool may be broken, and each is used before a
	// new one is opened.
	maxAttempts = postgresReadConnections + 2
)

// snapshotOptions make all reads of a transaction see the same state.
var snapshotOptions = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}

// beforeCommit runs between the last write of a transaction and its commit. See SetBeforeCommit.
var beforeCommit = func() {}

// commitError marks an error of a commit. The database may have made the change.
type commitError struct{ error }

func (e commitError) Unwrap() error { return e.error }

// write runs fn in a transaction, which is rolled back if fn returns an error or panics. It may run fn
// several times.
func (s *Store) write(ctx context.Context, fn func(conn) error) error {
	return s.toFault(s.transact(ctx, s.writePool, nil, func(c conn) error {
		err := fn(c)
		if err == nil {
			beforeCommit()
		}
		return err
	}))
}

// execWrite runs a single statement in a transaction.
func (s *Store) execWrite(ctx context.Context, statement string, args ...any) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, statement, args...)
		return err
	})
}

// execSweep runs a single statement in a transaction and returns the number of affected rows.
func (s *Store) execSweep(ctx context.Context, statement string, args ...any) (count int, err error) {
	err = s.write(ctx, func(c conn) error {
		rows, err := c.exec(ctx, statement, args...)
		count = int(rows)
		return err
	})
	return count, err
}

// read runs fn on a snapshot of the database, without waiting for writers.
func (s *Store) read(ctx context.Context, fn func(conn) error) error {
	return s.toFault(s.transact(ctx, s.readPool, snapshotOptions, fn))
}

// reader returns a conn that runs single queries outside of a transaction.
func (s *Store) reader() conn { return conn{db: s.readPool, dialect: s.dialect, retryReads: true} }

func (s *Store) transact(ctx context.Context, pool *sqlx.DB, options *sql.TxOptions, fn func(conn) error) error {
	return s.dialect.retry(ctx, func() error { return s.transactOnce(ctx, pool, options, fn) })
}

// transactOnce rolls back if ctx ends before the commit. During the commit it ignores ctx.
func (s *Store) transactOnce(ctx context.Context, pool *sqlx.DB, options *sql.TxOptions, fn func(conn) error) error {
	txCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, cancel)
	timer := time.AfterFunc(s.beginTimeout, cancel)
	tx, err := pool.BeginTxx(txCtx, options)
	timer.Stop()
	if err != nil {
		return contextError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if err := fn(conn{db: tx, dialect: s.dialect, now: s.auditNow}); err != nil {
		return err
	}
	if !stop() {
		return contextError(ctx, context.Canceled)
	}
	defer time.AfterFunc(commitTimeout, cancel).Stop()
	if err := tx.Commit(); err != nil {
		return commitError{err}
	}
	return nil
}

// contextError returns the error of ctx, or err if ctx has not ended.
func contextError(ctx context.Context, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	return err
}

// retry runs work until it succeeds, fails permanently or was run maxAttempts times. There is no delay between attempts,
// because an attempt waits for the locks of the transaction with which the previous one conflicted.
func (d *dialect) retry(ctx context.Context, work func() error) error {
	err := work()
	for attempt := 1; attempt < maxAttempts && ctx.Err() == nil && d.canRetry(err); attempt++ {
		err = work()
	}
	return err
}

// canRetry reports whether the database has changed nothing and another attempt may succeed.
func (d *dialect) canRetry(err error) bool {
	if err == nil {
		return false
	}
	_, isCommitError := errors.AsType[commitError](err)
	switch d.classify(err) {
	case failureRolledBack:
		return true
	case failureConnectionLost:
		return !isCommitError
	default:
		return false
	}
}
