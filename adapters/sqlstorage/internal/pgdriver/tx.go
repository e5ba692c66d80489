package pgdriver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Begin implements driver.Conn.
func (c *conn) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

// BeginTx implements driver.ConnBeginTx. A connection that breaks here can be replaced unnoticed:
// nothing was done in the transaction yet.
func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	options, err := optionsOf(o)
	if err != nil {
		return nil, err
	}
	pg, err := c.pg.BeginTx(ctx, options)
	switch {
	case err == nil:
		return tx{pg: pg, ctx: ctx}, nil
	case c.pg.IsClosed() && ctx.Err() == nil:
		return nil, errors.Join(driver.ErrBadConn, err)
	}
	return nil, err
}

func optionsOf(o driver.TxOptions) (pgx.TxOptions, error) {
	var options pgx.TxOptions
	switch level := sql.IsolationLevel(o.Isolation); level {
	case sql.LevelDefault:
	case sql.LevelRepeatableRead:
		options.IsoLevel = pgx.RepeatableRead
	default:
		return options, fmt.Errorf("pgdriver: nobody needed isolation level %s yet", level)
	}
	if o.ReadOnly {
		options.AccessMode = pgx.ReadOnly
	}
	return options, nil
}

// tx is a transaction under way.
type tx struct {
	pg  pgx.Tx
	ctx context.Context //nolint:containedctx // database/sql hands none to what ends a transaction
}

// Commit implements driver.Tx. It gives up with the context that the transaction began with; what
// became of it is unknown then.
func (t tx) Commit() error { return t.pg.Commit(t.ctx) }

// Rollback implements driver.Tx. It is tried when that context has ended, too: the connection is
// good for others afterwards.
func (t tx) Rollback() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), closePatience)
	defer cancel()
	return t.pg.Rollback(ctx)
}
