package pgdriver

import (
	"database/sql/driver"
	"io"

	"github.com/jackc/pgx/v5"
)

// rows hands out what a query found. One row is always read ahead: what a query fails with shows
// then where it was asked, and the columns are known.
type rows struct {
	pg    pgx.Rows
	ahead bool // there is a row that was read ahead
}

func firstOf(pg pgx.Rows) (driver.Rows, error) {
	r := &rows{pg: pg, ahead: pg.Next()}
	if err := pg.Err(); err != nil {
		pg.Close()
		return nil, unsent(err)
	}
	return r, nil
}

// Columns implements driver.Rows.
func (r *rows) Columns() []string {
	fields := r.pg.FieldDescriptions()
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	return names
}

// Next implements driver.Rows.
func (r *rows) Next(row []driver.Value) error {
	if !r.ahead {
		return io.EOF
	}
	found, err := r.pg.Values()
	if err != nil {
		return err
	}
	for i, value := range found {
		row[i] = value
	}
	r.ahead = r.pg.Next()
	return r.pg.Err()
}

// Close implements driver.Rows.
func (r *rows) Close() error {
	r.pg.Close()
	return r.pg.Err()
}
