package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"reflect"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/fault"
)

// conn runs queries, inside a transaction or not, with the placeholders of its dialect.
type conn struct {
	db sqlx.ExtContext
	*dialect
	alone bool // outside of a transaction: a query that was lost may be asked again
}

// get reads the one row of a query; none is NotFound, named as what.
func (c conn) get(ctx context.Context, what string, row any, query string, args ...any) error {
	err := c.ask(ctx, func() error { return sqlx.GetContext(ctx, c.db, row, c.db.Rebind(query), args...) })
	if errors.Is(err, sql.ErrNoRows) || c.foreign(err) {
		return fault.Newf(fault.NotFound, "There is no such %s", what)
	}
	return err
}

// foreign reports that the query asked for a text which the database can't hold: so it does not.
func (c conn) foreign(err error) bool { return err != nil && c.classify(err) == failureText }

// list reads all rows of a query into a slice.
func (c conn) list(ctx context.Context, rows any, query string, args ...any) error {
	return c.ask(ctx, func() error {
		reflect.ValueOf(rows).Elem().SetZero() // of what a lost query had found
		return sqlx.SelectContext(ctx, c.db, rows, c.db.Rebind(query), args...)
	})
}

func (c conn) ask(ctx context.Context, query func() error) error {
	if c.alone {
		return c.again(ctx, query)
	}
	return query()
}

// exec runs a statement and returns how many rows it touched.
func (c conn) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := c.db.ExecContext(ctx, c.db.Rebind(statement), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// put runs a statement whose :names are columns of the row.
func (c conn) put(ctx context.Context, statement string, row any) error {
	_, err := c.offer(ctx, statement, row)
	return err
}

// offer is put that tells how many rows were touched.
func (c conn) offer(ctx context.Context, statement string, row any) (int64, error) {
	result, err := sqlx.NamedExecContext(ctx, c.db, statement, row)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
