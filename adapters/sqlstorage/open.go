package sqlstorage

import (
	"context"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/fault"
)

// Open connects to the database that the URL names: "sqlite:PATH", whose folder and file are
// made when they don't exist. An URL that can't be understood is Invalid on the field "url". The
// database may still need Migrate.
func Open(ctx context.Context, url string) (*Store, error) {
	path, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	return openSQLite(ctx, path)
}

// parseURL returns the path of an SQLite database. It refuses what looks like another tool's
// URL, which would otherwise quietly make a file with an odd name.
func parseURL(url string) (string, error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	var problem fault.Fields
	switch {
	case !ok:
		problem.Add("url", "The database's URL must read sqlite:PATH")
	case path == "", strings.HasSuffix(path, "/"):
		problem.Add("url", "The database's URL names no file: write sqlite:PATH")
	case strings.HasPrefix(path, "//"):
		problem.Add("url", "The database's URL has no host: write sqlite:PATH, with one slash when the path is absolute")
	case strings.ContainsAny(path, "?\x00"):
		problem.Add("url", "The database's URL takes no options: write sqlite:PATH")
	case path == ":memory:":
		problem.Add("url", "The database must be a file: what is in memory would be lost")
	}
	return path, problem.Err()
}

// openPool connects at once, so that a database that can't be reached is known at the start.
func openPool(ctx context.Context, driver, dsn string, connections int) (*sqlx.DB, error) {
	pool, err := sqlx.ConnectContext(ctx, driver, dsn)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "The database can't be opened")
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}
