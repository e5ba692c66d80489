package sqlstorage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

func TestClaimServer_RefusesASecondServerOnAnSQLiteFile(t *testing.T) {
	url := newFile(t)
	first, second, command := migrated(t, url), opened(t, url), opened(t, url)
	require.NoError(t, first.ClaimServer(t.Context()))

	err := second.ClaimServer(t.Context())
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, path(url))
	require.NoError(t, command.Migrate(t.Context()), "commands go on beside a server")
	require.NoError(t, command.Ready(t.Context()))

	require.NoError(t, first.Close())
	require.NoError(t, second.ClaimServer(t.Context()), "the first one has stopped")
}

// One file has many names; the claim is on the file.
func TestClaimServer_KnowsTheFileBehindASymbolicLink(t *testing.T) {
	url := newFile(t)
	require.NoError(t, migrated(t, url).ClaimServer(t.Context()))
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(path(url), link))

	require.Equal(t, fault.Conflict, fault.CodeOf(opened(t, "sqlite:"+link).ClaimServer(t.Context())))
}

func TestClaimServer_LetsManyServersShareAPostgresDatabase(t *testing.T) {
	url := postgresKind.ready(t)
	for _, s := range []*sqlstorage.Store{opened(t, url), opened(t, url)} {
		require.NoError(t, s.ClaimServer(t.Context()))
	}
}
