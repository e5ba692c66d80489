package sqlstorage_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/ports/storage/storagetest"
)

func TestSQLiteKeepsEveryPromise(t *testing.T) {
	urls := map[storage.Store]string{}
	open := func(t *testing.T, url string) storage.Store {
		s := migrated(t, url)
		urls[s] = url
		return s
	}
	storagetest.Run(t, storagetest.Harness{
		Open:  func(t *testing.T) storage.Store { return open(t, newURL(t)) },
		Join:  func(t *testing.T, s storage.Store) storage.Store { return open(t, urls[s]) },
		Close: func(t *testing.T, s storage.Store) { require.NoError(t, s.(*sqlstorage.Store).Close()) },
	})
}

// newURL names a database that does not exist yet.
func newURL(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "data", "diy.db")
}

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

// path is the file that an URL names.
func path(url string) string { return strings.TrimPrefix(url, "sqlite:") }

// schemaOf is all that a database is made of.
func schemaOf(t *testing.T, s *sqlstorage.Store) string {
	t.Helper()
	var schema string
	row := s.DB().QueryRowContext(t.Context(), "SELECT GROUP_CONCAT(sql, ';') FROM sqlite_schema")
	require.NoError(t, row.Scan(&schema))
	return schema
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)
