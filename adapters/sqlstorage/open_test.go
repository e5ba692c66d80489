package sqlstorage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

func TestOpenRefusesWhatIsNoURLOfOurs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, url := range []string{
		"", "diy.db", "mysql://host/diy", "SQLITE:diy.db", "sqlite", "sqlite:", "sqlite:data/",
		"sqlite://host/diy.db", "sqlite:///diy.db", "sqlite:diy.db?mode=ro", "sqlite::memory:", "sqlite:a\x00b",
		"postgres:diy", "postgres://", "postgres://host", "postgresql://host/", "postgres://host/?sslmode=disable",
		"postgres:///diy", "postgres://ada@/diy", "postgres://host:port/diy", "postgres://host/diy?sslmode=perhaps",
		"postgres://host/diy?sslrootcert=/nowhere&sslmode=verify-full", "postgres://host/diy?connect_timeout=soon",
		"postgres://ho\x00st/diy",
	} {
		t.Run(url, func(t *testing.T) {
			_, err := sqlstorage.Open(t.Context(), url)
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			fields := fault.FieldsOf(err)
			require.Len(t, fields, 1)
			require.Equal(t, "url", fields[0].Name)
			require.Equal(t, err, sqlstorage.CheckURL(url))
		})
	}
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left, "nothing was made for a wrong URL")
}

func TestURLsOfPostgreSQL(t *testing.T) {
	for _, url := range []string{
		"postgres://host/diy", "postgresql://host/diy", "postgres://ada@host/diy", "postgres://ada:s%2Fe%40c@host:5433/diy?sslmode=require",
		"postgres:///diy?host=/run/postgresql", "postgres://ada@/diy?application_name=x&host=/run/postgresql",
		"postgres://one,two/diy?target_session_attrs=read-write", "postgres://one:5432,two:5433/diy", "postgres://[::1]:5433/diy",
	} {
		assert.NoError(t, sqlstorage.CheckURL(url), url)
	}
}

func TestOptionOfAnURLIsNamedWhenItCannotBeUsed(t *testing.T) {
	err := sqlstorage.CheckURL("postgres://host/diy?sslmode=verify-full&sslrootcert=/nowhere/ca.pem")
	require.ErrorContains(t, err, "/nowhere/ca.pem")
}

// A password may hold what means something in an URL; whatever is made of it, it is not told.
func TestNoErrorTellsAPassword(t *testing.T) {
	const half = "s3cr3t"
	for _, password := range []string{
		half, half + "/" + half, half + "?" + half, half + "#" + half, half + "@" + half, half + ":" + half, half + "%" + half,
		"1/" + half, "12#" + half, "12?" + half + "@h/x", "[" + half, half + " " + half, half + "\x00", "1/" + half + "@",
	} {
		for _, url := range []string{
			"postgres://ada:" + password + "@127.0.0.1:1/diy", "postgres://ada:" + password + "@127.0.0.1:1/diy?sslmode=perhaps",
			"postgres://127.0.0.1:1/diy?user=ada&password=" + password, "postgres://127.0.0.1:1/diy?sslmode=x&password=" + password,
			"postgres://ada:" + password + "@127.0.0.1:1", "postgres//ada:" + password + "@127.0.0.1:1/diy",
		} {
			t.Run(url, func(t *testing.T) {
				_, err := sqlstorage.Open(t.Context(), url)
				require.Error(t, err)
				require.NotContains(t, err.Error(), half)
			})
		}
	}
}

func TestOpenReportsWhatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, []byte("this is text, and as long as a header of SQLite has to be: "+
		"one hundred bytes at least, so some more words"), 0o600))
	for name, url := range map[string]string{
		"a folder that is a file":    "sqlite:" + filepath.Join(file, "diy.db"),
		"a file that is a folder":    "sqlite:" + folder,
		"a file of another kind":     "sqlite:" + file,
		"a port nobody listens to":   "postgres://ada@127.0.0.1:1/diy",
		"a socket that is not there": "postgres:///diy?host=" + folder,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sqlstorage.Open(t.Context(), url)
			require.Equal(t, fault.Unavailable, fault.CodeOf(err))
		})
	}
}
