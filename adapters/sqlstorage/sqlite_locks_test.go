package sqlstorage

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestSQLiteAcquireServerLock_SecondServerGetsConflict(t *testing.T) {
	url := newMigratedSQLiteURL(t)
	first, second := openAndMigrate(t, url), openStore(t, url)
	require.NoError(t, first.AcquireServerLock(t.Context()))

	err := second.AcquireServerLock(t.Context())
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, pathFromURL(url))

	require.NoError(t, first.Close())
	require.NoError(t, second.AcquireServerLock(t.Context()))
}

func TestSQLiteAcquireServerLock_FollowsSymbolicLinks(t *testing.T) {
	url := newMigratedSQLiteURL(t)
	require.NoError(t, openAndMigrate(t, url).AcquireServerLock(t.Context()))
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(pathFromURL(url), link))

	require.Equal(t, fault.Conflict, fault.CodeOf(openStore(t, "sqlite:"+link).AcquireServerLock(t.Context())))
}

func TestSQLiteMigrate_WaitsForAnotherProcessUntilTheContextEnds(t *testing.T) {
	s := openStore(t, newSQLiteURL(t))
	migrationLock, err := s.lockSQLiteMigrations(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, s.Migrate(ctx), "Another process is migrating")
	require.NoError(t, migrationLock.Close())
}
