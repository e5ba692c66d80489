package sqlstorage

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"
)

func TestSQLiteSettings_ApplyToBothPools(t *testing.T) {
	s := openAndMigrate(t, newSQLiteURL(t))
	for name, pool := range map[string]*sqlx.DB{"writes": s.writePool, "reads": s.readPool} {
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "busy_timeout": "5000", "foreign_keys": "1", "synchronous": "2", // FULL
		} {
			var value string
			require.NoError(t, pool.GetContext(t.Context(), &value, "PRAGMA "+pragma))
			require.Equal(t, want, value, "%s of the pool %s", pragma, name)
		}
	}
	require.Equal(t, 1, s.writePool.Stats().MaxOpenConnections)
	require.Greater(t, s.readPool.Stats().MaxOpenConnections, 1)
}

func TestReadPool_CannotWrite(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		_, err := s.readPool.ExecContext(t.Context(), "DELETE FROM emails")
		require.Error(t, err)
		require.Regexp(t, "readonly|read-only", err.Error())
	})
}

func filePermissions(t *testing.T, file string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	return info.Mode().Perm()
}

func TestSQLiteFiles_AreReadableByTheOwnerOnly(t *testing.T) {
	url := newSQLiteURL(t)
	openAndMigrate(t, url)
	require.Equal(t, fs.FileMode(0o700), filePermissions(t, filepath.Dir(pathFromURL(url))))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		require.Equal(t, fs.FileMode(0o600), filePermissions(t, pathFromURL(url)+suffix), suffix)
	}
}

func TestSQLiteFiles_ExistingFilesKeepTheirMode(t *testing.T) {
	url := newSQLiteURL(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(pathFromURL(url)), 0o755))
	require.NoError(t, os.WriteFile(pathFromURL(url), nil, 0o640))
	openAndMigrate(t, url)
	require.Equal(t, fs.FileMode(0o640), filePermissions(t, pathFromURL(url)))
	require.Equal(t, fs.FileMode(0o755), filePermissions(t, filepath.Dir(pathFromURL(url))))
}

func TestSQLitePaths_MayContainSpecialCharacters(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{
		"a b.db", "100%41.db", "a#b.db", "a&mode=ro.db", "données 東京.db", "a;b'c\"d.db", "file:x.db",
		"relative/diy.db", "./other/diy.db", filepath.Join(t.TempDir(), "absolute.db"),
	} {
		t.Run(path, func(t *testing.T) {
			s := openStore(t, "sqlite:"+path)
			exec(t, s, "CREATE TABLE things (id INTEGER)")
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Positive(t, info.Size())
		})
	}
}
