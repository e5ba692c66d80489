package flows

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// migrated is an empty database file: to migrate one for every test takes longer than most tests.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "flows")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, ctx := filepath.Join(dir, "diy.db"), context.Background()
	store, err := sqlstorage.Open(ctx, "sqlite:"+path)
	if err != nil {
		return nil, err
	}
	if err := store.Migrate(ctx); err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// newDatabase makes an empty database and returns its URL.
func newDatabase(t *testing.T) string {
	t.Helper()
	file, err := migrated()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "diy.db")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	return "sqlite:" + path
}
