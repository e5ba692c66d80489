package sqlstorage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

func TestOpenRefusesWhatIsNoURLOfOurs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, url := range []string{
		"", "diy.db", "mysql://host/diy", "SQLITE:diy.db", "sqlite", "sqlite:", "sqlite:data/",
		"sqlite://host/diy.db", "sqlite:///diy.db", "sqlite:diy.db?mode=ro", "sqlite::memory:", "sqlite:a\x00b",
	} {
		t.Run(url, func(t *testing.T) {
			_, err := sqlstorage.Open(t.Context(), url)
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			fields := fault.FieldsOf(err)
			require.Len(t, fields, 1)
			require.Equal(t, "url", fields[0].Name)
		})
	}
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left, "nothing was made for a wrong URL")
}

func TestOpenReportsWhatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, []byte("this is text, and as long as a header of SQLite has to be: "+
		"one hundred bytes at least, so some more words"), 0o600))
	for name, url := range map[string]string{
		"a folder that is a file": "sqlite:" + filepath.Join(file, "diy.db"),
		"a file that is a folder": "sqlite:" + folder,
		"a file of another kind":  "sqlite:" + file,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sqlstorage.Open(t.Context(), url)
			require.Equal(t, fault.Unavailable, fault.CodeOf(err))
		})
	}
}
