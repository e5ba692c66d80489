package sqlstorage

import (
	"context"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

var errDriver = errors.New("the SQLite driver offers no statements that can be kept")

// sqliteConnector opens connections that read every statement's text once: SQLite takes longer to
// read a short one than to run it.
type sqliteConnector struct{ driver.Connector }

// newSQLiteConnector is the driver's connector to what a DSN names, but for that.
func newSQLiteConnector(dsn string) (driver.Connector, error) {
	c, err := sqlite.NewConnector(dsn)
	return sqliteConnector{c}, err
}

// Connect opens a connection.
func (c sqliteConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(driverConn)
	if !ok {
		return nil, errors.Join(errDriver, opened.Close())
	}
	return &sqliteConn{driverConn: conn, statements: map[string]statement{}}, nil
}

// driverConn is everything that database/sql makes use of in the driver's connections.
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

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// sqliteConn keeps its statements for as long as it is open. There are as many as our code has
// texts, and whoever queries reads all rows before the same query is asked again.
type sqliteConn struct {
	driverConn
	statements map[string]statement
}

// QueryContext runs a query.
func (c *sqliteConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args)
}

// ExecContext runs a statement.
func (c *sqliteConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args)
}

func (c *sqliteConn) prepared(ctx context.Context, query string) (statement, error) {
	if known, ok := c.statements[query]; ok {
		return known, nil
	}
	made, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s, ok := made.(statement)
	if !ok {
		return nil, errors.Join(errDriver, made.Close())
	}
	c.statements[query] = s
	return s, nil
}

// Close closes the statements and the connection.
func (c *sqliteConn) Close() error {
	var failed []error
	for _, s := range c.statements {
		failed = append(failed, s.Close())
	}
	clear(c.statements)
	return errors.Join(append(failed, c.driverConn.Close())...)
}
