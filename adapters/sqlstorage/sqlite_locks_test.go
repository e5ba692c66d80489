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

func TestSQLiteClaimServer_SecondServerGetsConflict(t *testing.T) {
	url := newMigratedFile(t)
	first, second := openMigrated(t, url), openStore(t, url)
	require.NoError(t, first.ClaimServer(t.Context()))

	err := second.ClaimServer(t.Context())
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, pathFromURL(url))

	require.NoError(t, first.Close())
	require.NoError(t, second.ClaimServer(t.Context()))
}

func TestSQLiteClaimServer_FollowsSymbolicLinks(t *testing.T) {
	url := newMigratedFile(t)
	require.NoError(t, openMigrated(t, url).ClaimServer(t.Context()))
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(pathFromURL(url), link))

	require.Equal(t, fault.Conflict, fault.CodeOf(openStore(t, "sqlite:"+link).ClaimServer(t.Context())))
}

func TestSQLiteMigrate_WaitsForAnotherProcessUntilTheContextEnds(t *testing.T) {
	s := openStore(t, newFile(t))
	migrationLock, err := s.lockSQLiteMigrations(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, s.Migrate(ctx), "Another process is migrating")
	require.NoError(t, migrationLock.Close())
}
