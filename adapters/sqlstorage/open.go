package sqlstorage

import (
	"context"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/fault"
)

// Open connects to the database that the URL names: "sqlite:PATH", whose folder and file are
// made when they don't exist, or "postgres://USER:PASSWORD@HOST/NAME?OPTIONS" with the options of
// libpq. An URL that can't be understood is Invalid on the field "url". The database may still
// need Migrate. No error holds the URL's password.
func Open(ctx context.Context, url string) (*Store, error) {
	if isPostgres(url) {
		return openPostgres(ctx, url)
	}
	path, err := parseSQLite(url)
	if err != nil {
		return nil, err
	}
	return openSQLite(ctx, path)
}

// CheckURL returns the fault that Open would for an URL that can't be understood. It opens
// nothing.
func CheckURL(url string) error {
	if isPostgres(url) {
		_, err := parsePostgres(url)
		return err
	}
	_, err := parseSQLite(url)
	return err
}

func isPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// wrongURL is the fault of an URL. The problem quotes nothing of it: there may be a password.
func wrongURL(problem string) error {
	var fields fault.Fields
	fields.Add("url", problem)
	return fields.Err()
}

// openPool connects at once, so that a database that can't be reached is known at the start.
func openPool(ctx context.Context, pool *sqlx.DB, connections int) (*sqlx.DB, error) {
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.Unavailable, "The database can't be opened"), pool.Close())
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}
