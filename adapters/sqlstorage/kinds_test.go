package sqlstorage_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/ports/storage/storagetest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// kind is a kind of database.
type kind struct {
	name  string
	empty func(t *testing.T) string // names a new database without tables
	ready func(t *testing.T) string // names a new database that may be migrated already
}

var (
	sqliteKind   = kind{"SQLite", newFile, newFile}
	postgresKind = kind{"PostgreSQL", func(t *testing.T) string { return postgrestest.URL(t) }, func(t *testing.T) string { return template.URL(t) }}
)

// template is a database with all tables.
var template = postgrestest.NewTemplate(func(ctx context.Context, url string) error {
	s, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
})

// onEach runs a test on every kind of database.
func onEach(t *testing.T, test func(t *testing.T, k kind)) {
	for _, k := range []kind{sqliteKind, postgresKind} {
		t.Run(k.name, func(t *testing.T) { test(t, k) })
	}
}

func TestSQLiteKeepsEveryPromise(t *testing.T)   { keepsEveryPromise(t, sqliteKind) }
func TestPostgresKeepsEveryPromise(t *testing.T) { keepsEveryPromise(t, postgresKind) }

func keepsEveryPromise(t *testing.T, k kind) {
	urls := map[storage.Store]string{}
	open := func(t *testing.T, url string) storage.Store {
		s := migrated(t, url)
		urls[s] = url
		return s
	}
	storagetest.Run(t, storagetest.Harness{
		Open:     func(t *testing.T) storage.Store { return open(t, k.ready(t)) },
		Join:     func(t *testing.T, s storage.Store) storage.Store { return open(t, urls[s]) },
		UseClock: func(_ *testing.T, s storage.Store, now func() time.Time) { s.(*sqlstorage.Store).UseClock(now) },
		Close:    func(t *testing.T, s storage.Store) { require.NoError(t, s.(*sqlstorage.Store).Close()) },
	})
}

// newFile names an SQLite database that does not exist yet.
func newFile(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "data", "diy.db")
}

// path is the file that an URL names.
func path(url string) string { return strings.TrimPrefix(url, "sqlite:") }

// opened is a store that is closed when the test ends.
func opened(t *testing.T, url string) *sqlstorage.Store {
	t.Helper()
	s, err := sqlstorage.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func migrated(t *testing.T, url string) *sqlstorage.Store {
	t.Helper()
	s := opened(t, url)
	require.NoError(t, s.Migrate(t.Context()))
	return s
}
