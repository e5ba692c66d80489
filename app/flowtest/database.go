package flowtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// TB is a test of package testing, or one draw of package rapid.
type TB interface {
	require.TestingT
	Helper()
	Cleanup(fn func())
	Context() context.Context
}

// migrated is an empty database file: to migrate one for every test takes longer than most tests.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "flows")
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

// Migrate makes the tables of an empty database.
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

// NewDatabase makes an empty SQLite database, which goes with the test, and returns its URL.
func NewDatabase(t TB) string {
	t.Helper()
	file, err := migrated()
	require.NoError(t, err)
	dir, err := os.MkdirTemp(memory(), "flow")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "diy.db")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	return "sqlite:" + path
}

// memory is a folder that no disk has to keep up with, where there is one: these tests are not
// about power cuts.
func memory() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}
