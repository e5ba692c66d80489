package sqlstorage_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDatabaseIsItsOwnersAlone(t *testing.T) {
	url := newFile(t)
	migrated(t, url)
	require.Equal(t, fs.FileMode(0o700), modeOf(t, filepath.Dir(path(url))))
	for _, side := range []string{"", "-wal", "-shm"} {
		require.Equal(t, fs.FileMode(0o600), modeOf(t, path(url)+side), side)
	}
}

func TestModeOfAnExistingDatabaseStays(t *testing.T) {
	url := newFile(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(path(url)), 0o755))
	require.NoError(t, os.WriteFile(path(url), nil, 0o640))
	migrated(t, url)
	require.Equal(t, fs.FileMode(0o640), modeOf(t, path(url)))
	require.Equal(t, fs.FileMode(0o755), modeOf(t, filepath.Dir(path(url))))
}

// What means something in an URL, or to SQLite, is still only a part of a name here.
func TestPathsMayHoldOddCharacters(t *testing.T) {
	for _, name := range []string{
		"a b.db", "100%41.db", "a#b.db", "a&mode=ro.db", "données 東京.db", "a;b'c\"d.db", "file:x.db",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			require.NoError(t, migrated(t, "sqlite:"+file).Ready(t.Context()))
			require.Positive(t, sizeOf(t, file))
		})
	}
}

func TestPathMayBeRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"diy.db", "data/diy.db", "./other/diy.db"} {
		migrated(t, "sqlite:"+file)
		require.Positive(t, sizeOf(t, file))
	}
}

func modeOf(t *testing.T, file string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	return info.Mode().Perm()
}

func sizeOf(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	return info.Size()
}
