package apptest

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// Migrate creates the tables of an empty database.
func Migrate(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		_ = store.Close()
		return err
	}
	return store.Close()
}

// migratedFile is a migrated, empty database. Copying it is much faster than migrating another one.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "apptest")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "diy.db")
	if err := Migrate(context.Background(), "sqlite:"+path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// newSQLite returns the URL of a migrated, empty database that is deleted after the test.
func newSQLite(t TB) string {
	t.Helper()
	file, err := migratedFile()
	require.NoError(t, err)
	dir, err := os.MkdirTemp(memoryDir(), "apptest")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "diy.db")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	return "sqlite:" + path
}

// memoryDir returns a directory in memory where there is one, because commits to a disk are slow.
func memoryDir() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}
