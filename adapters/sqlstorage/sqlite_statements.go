package sqlstorage

import (
	"context"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

var errUnsupportedDriver = errors.New("the SQLite driver does not support prepared statements with a context")

// sqliteConnector opens connections that cache prepared statements, because SQLite takes longer to parse a short
// statement than to run it.
type sqliteConnector struct{ driver.Connector }

func newSQLiteConnector(dsn string) (driver.Connector, error) {
	c, err := sqlite.NewConnector(dsn)
	return sqliteConnector{c}, err
}

// Connect implements driver.Connector.
func (c sqliteConnector) Connect(ctx context.Context) (driver.Conn, error) {
	base, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	connection, ok := base.(driverConn)
	if !ok {
		return nil, errors.Join(errUnsupportedDriver, base.Close())
	}
	return &sqliteConn{driverConn: connection, statements: map[string]cachedStatement{}}, nil
}

// driverConn lists the interfaces of the driver's connections that database/sql uses.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type cachedStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// sqliteConn caches its prepared statements until it is closed. The cache is bounded, because the code has a fixed set of
// statements. The rows of a query must be read to their end or closed before the same query runs again on the connection.
type sqliteConn struct {
	driverConn
	statements map[string]cachedStatement
}

// QueryContext implements driver.QueryerContext.
func (c *sqliteConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args)
}

// ExecContext implements driver.ExecerContext.
func (c *sqliteConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args)
}

// prepare returns the statement from the cache, or prepares it.
func (c *sqliteConn) prepare(ctx context.Context, query string) (cachedStatement, error) {
	if s, ok := c.statements[query]; ok {
		return s, nil
	}
	stmt, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s, ok := stmt.(cachedStatement)
	if !ok {
		return nil, errors.Join(errUnsupportedDriver, stmt.Close())
	}
	c.statements[query] = s
	return s, nil
}

// Close closes the statements and the connection.
func (c *sqliteConn) Close() error {
	var errs []error
	for _, s := range c.statements {
		errs = append(errs, s.Close())
	}
	clear(c.statements)
	return errors.Join(append(errs, c.driverConn.Close())...)
}
