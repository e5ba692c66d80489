package sqlstorage

import (
	"context"
	"database/sql"
	"time"

	"github.com/jmoiron/sqlx"
)

// commitPatience is how long a commit may take. Nobody can call it off: who waits for it learns
// what became of it.
const commitPatience = 15 * time.Second

// beginPatience is how long a transaction may wait for its beginning: for a connection that nobody
// else is using, and for the lock of a file. Where there is one connection, those who wait for the
// lock of another program stand in line, and each would wait for all those before it.
const beginPatience = 10 * time.Second

// snapshot makes several reads see the same moment.
var snapshot = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}

// unsettled is a failed commit: the change may have been made.
type unsettled struct{ error }

func (u unsettled) Unwrap() error { return u.error }

// write runs fn in a transaction. Whatever ends fn, an error or a panic, undoes what it wrote. fn
// may run again, when the database undid it for reasons of its own.
func (s *Store) write(ctx context.Context, fn func(conn) error) error {
	return s.fault(s.transact(ctx, s.writes, nil, beforeCommit(fn)))
}

// read runs fn on one moment of the database, without waiting for whoever writes.
func (s *Store) read(ctx context.Context, fn func(conn) error) error {
	return s.fault(s.transact(ctx, s.reads, snapshot, fn))
}

func (s *Store) transact(ctx context.Context, pool *sqlx.DB, options *sql.TxOptions, fn func(conn) error) error {
	return s.dialect.again(ctx, func() error { return s.transactOnce(ctx, pool, options, fn) })
}

// transactOnce hears of ctx's end up to the commit and not during it: what ctx ended has changed
// nothing.
func (s *Store) transactOnce(ctx context.Context, pool *sqlx.DB, options *sql.TxOptions, fn func(conn) error) error {
	inside, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	keepOn := context.AfterFunc(ctx, end)
	enough := time.AfterFunc(s.patience, end)
	tx, err := pool.BeginTxx(inside, options)
	enough.Stop()
	if err != nil {
		return endedBy(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fn(conn{db: tx, dialect: s.dialect}); err != nil {
		return err
	}
	if !keepOn() {
		return endedBy(ctx, context.Canceled)
	}
	defer time.AfterFunc(commitPatience, end).Stop()
	if err := tx.Commit(); err != nil {
		return unsettled{err}
	}
	return nil
}

// endedBy names the end of ctx where that is why a call failed.
func endedBy(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return err
}

// reader is for a read that takes a single query, which sees one moment by itself.
func (s *Store) reader() conn { return conn{db: s.reads, dialect: s.dialect, alone: true} }
