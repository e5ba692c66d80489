package sqlstorage

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"
)

// snapshot makes several reads see the same moment.
var snapshot = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}

// write runs fn in a transaction. Whatever ends fn, an error or a panic, undoes what it wrote.
func (s *Store) write(ctx context.Context, fn func(conn) error) error {
	return s.fault(s.transact(ctx, s.writes, nil, fn))
}

// read runs fn on one moment of the database, without waiting for whoever writes.
func (s *Store) read(ctx context.Context, fn func(conn) error) error {
	return s.fault(s.transact(ctx, s.reads, snapshot, fn))
}

func (s *Store) transact(ctx context.Context, pool *sqlx.DB, options *sql.TxOptions, fn func(conn) error) error {
	tx, err := pool.BeginTxx(ctx, options)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fn(conn{tx, s.dialect}); err != nil {
		return err
	}
	return tx.Commit()
}

// reader is for a read that takes a single query, which sees one moment by itself.
func (s *Store) reader() conn { return conn{s.reads, s.dialect} }
