package pgdriver

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// restLimit is how long a connection may lie idle before it is asked whether it still works: a
	// server that went away, or a firewall, says nothing by itself.
	restLimit = time.Second
	// closePatience is how long saying goodbye may take.
	closePatience = 5 * time.Second
)

// now is the computer's own time, on which connections age.
func now() time.Time { return time.Now() } //nolint:forbidigo // nothing of the application's depends on it

// conn is one connection.
type conn struct {
	pg   *pgx.Conn
	used time.Time
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	tag, err := c.pg.Exec(ctx, statement, values(args)...)
	if err != nil {
		return nil, unsent(err)
	}
	return driver.RowsAffected(tag.RowsAffected()), nil
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	pg, err := c.pg.Query(ctx, query, values(args)...)
	if err != nil {
		return nil, unsent(err)
	}
	return firstOf(pg)
}

// ResetSession implements driver.SessionResetter: it is asked before a connection is used again.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.pg.IsClosed() || c.pg.PgConn().TxStatus() != 'I' {
		return driver.ErrBadConn
	}
	rested := now().Sub(c.used) > restLimit
	c.used = now()
	if rested {
		return c.Ping(ctx)
	}
	return nil
}

// IsValid implements driver.Validator: it is asked before a connection goes back into the pool.
func (c *conn) IsValid() bool { return !c.pg.IsClosed() }

// Ping implements driver.Pinger.
func (c *conn) Ping(ctx context.Context) error {
	if c.pg.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	return nil
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	return c.pg.Close(ctx)
}

// Prepare implements driver.Conn. There is no need: pgx prepares what it runs.
func (c *conn) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("pgdriver: statements are prepared as they are run")
}

func values(args []driver.NamedValue) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = arg.Value
	}
	return all
}

// unsent has database/sql try another connection where the server can't have heard of the call.
func unsent(err error) error {
	if pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}
