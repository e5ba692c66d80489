package sqlstorage

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/ports/storage/storagetest"
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// database has functions that create databases of one dialect and return their URLs.
type database struct {
	name             string
	newUnmigratedURL func(t *testing.T) string // without tables
	newMigratedURL   func(t *testing.T) string // with tables
}

var (
	sqliteDatabase   = database{"SQLite", newSQLiteURL, newMigratedSQLiteURL}
	postgresDatabase = database{
		"PostgreSQL",
		func(t *testing.T) string { return postgrestest.URL(t) },
		func(t *testing.T) string { return postgresTemplate.URL(t) },
	}
)

// The templates are migrated before the first test that needs them, and copied for every test.
var (
	sqliteTemplate   = sqlitetest.NewTemplate(migrate)
	postgresTemplate = postgrestest.NewTemplate(migrate)
)

func migrate(ctx context.Context, url string) error {
	s, err := Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// forEachDatabase runs a test on SQLite and on PostgreSQL.
func forEachDatabase(t *testing.T, test func(t *testing.T, db database)) {
	for _, db := range []database{sqliteDatabase, postgresDatabase} {
		t.Run(db.name, func(t *testing.T) { test(t, db) })
	}
}

// newSQLiteURL returns the URL of an SQLite database that does not exist yet.
func newSQLiteURL(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "data", "diy.db")
}

// newMigratedSQLiteURL returns the URL of an SQLite database with tables.
func newMigratedSQLiteURL(t *testing.T) string { return sqliteTemplate.URL(t) }

// pathFromURL returns the path of an SQLite database.
func pathFromURL(url string) string { return strings.TrimPrefix(url, "sqlite:") }

// openStore opens a store and closes it at the end of the test.
func openStore(t *testing.T, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func openAndMigrate(t *testing.T, url string) *Store {
	t.Helper()
	s := openStore(t, url)
	require.NoError(t, s.Migrate(t.Context()))
	return s
}

// exec runs a statement on the write pool.
func exec(t *testing.T, s *Store, statement string) {
	t.Helper()
	_, err := s.writePool.ExecContext(t.Context(), statement)
	require.NoError(t, err, statement)
}

// signUp stores a sign-up with ids derived from the name, and returns the user.
func signUp(t *testing.T, s *Store, name string, at time.Time) account.User {
	t.Helper()
	signUp := storage.SignUp{
		Organisation: account.Organisation{ID: "org_" + name, Name: name, CreatedAt: at},
		User: account.User{
			ID: "user_" + name, OrganisationID: "org_" + name, Email: name + "@example.test", PasswordHash: "old", CreatedAt: at,
		},
		Verification: account.Verification{TokenHash: name, UserID: "user_" + name, ExpiresAt: at},
		Email:        mail.Message{To: name + "@example.test", Subject: "Welcome", Text: "Hello", HTML: "<p>Hello</p>"},
	}
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	return signUp.User
}

func setFirstName(name string) func(*account.User) error {
	return func(u *account.User) error {
		u.FirstName = name
		return nil
	}
}

// migratedURLFunc returns a function that returns the URL of a migrated database without rows. To save time, on
// PostgreSQL the function deletes the rows of one database instead of creating another.
func migratedURLFunc(t *testing.T, db database) func(t *testing.T) string {
	t.Helper()
	if db.name == sqliteDatabase.name {
		return db.newMigratedURL
	}
	url := db.newMigratedURL(t)
	s := openStore(t, url)
	deleteAll := "SET LOCAL session_replication_role = replica" // ignores foreign keys
	for _, schemaTable := range schema {
		deleteAll += "; DELETE FROM " + schemaTable.name
	}
	return func(t *testing.T) string {
		t.Helper()
		exec(t, s, deleteAll)
		return url
	}
}

func TestSQLite_Conformance(t *testing.T)   { runConformance(t, sqliteDatabase) }
func TestPostgres_Conformance(t *testing.T) { runConformance(t, postgresDatabase) }

func runConformance(t *testing.T, db database) {
	newMigratedURL, urls := migratedURLFunc(t, db), map[storage.Store]string{}
	open := func(t *testing.T, url string) storage.Store {
		s := openAndMigrate(t, url)
		urls[s] = url
		return s
	}
	storagetest.Run(t, storagetest.Harness{
		Open:       func(t *testing.T) storage.Store { return open(t, newMigratedURL(t)) },
		OpenShared: func(t *testing.T, s storage.Store) storage.Store { return open(t, urls[s]) },
		UseClock:   func(_ *testing.T, s storage.Store, now func() time.Time) { s.(*Store).UseClock(now) },
		Close:      func(t *testing.T, s storage.Store) { require.NoError(t, s.(*Store).Close()) },
	})
}

func TestOpen_RejectsInvalidURLs(t *testing.T) {
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
			_, err := Open(t.Context(), url)
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			fields := fault.FieldsOf(err)
			require.Len(t, fields, 1)
			require.Equal(t, "url", fields[0].Name)
			require.Equal(t, err, CheckURL(url))
		})
	}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, files, "no file is created")
}

func TestCheckURL_AcceptsPostgresURLs(t *testing.T) {
	for _, url := range []string{
		"postgres://host/diy", "postgresql://host/diy", "postgres://ada@host/diy", "postgres://ada:s%2Fe%40c@host:5433/diy?sslmode=require",
		"postgres:///diy?host=/run/postgresql", "postgres://ada@/diy?application_name=x&host=/run/postgresql",
		"postgres://one,two/diy?target_session_attrs=read-write", "postgres://one:5432,two:5433/diy", "postgres://[::1]:5433/diy",
	} {
		assert.NoError(t, CheckURL(url), url)
	}
}

func TestCheckURL_NamesTheInvalidOption(t *testing.T) {
	err := CheckURL("postgres://host/diy?sslmode=verify-full&sslrootcert=/nowhere/ca.pem")
	require.ErrorContains(t, err, "/nowhere/ca.pem")
}

func TestOpen_ErrorsDoNotContainThePassword(t *testing.T) {
	const part = "s3cr3t" // of each password
	for _, password := range []string{
		part, part + "/" + part, part + "?" + part, part + "#" + part, part + "@" + part, part + ":" + part, part + "%" + part,
		"1/" + part, "12#" + part, "12?" + part + "@h/x", "[" + part, part + " " + part, part + "\x00", "1/" + part + "@",
	} {
		for _, url := range []string{
			"postgres://ada:" + password + "@127.0.0.1:1/diy", "postgres://ada:" + password + "@127.0.0.1:1/diy?sslmode=perhaps",
			"postgres://127.0.0.1:1/diy?user=ada&password=" + password, "postgres://127.0.0.1:1/diy?sslmode=x&password=" + password,
			"postgres://ada:" + password + "@127.0.0.1:1", "postgres//ada:" + password + "@127.0.0.1:1/diy",
		} {
			_, err := Open(t.Context(), url)
			require.Error(t, err, url)
			require.NotContains(t, err.Error(), part, url)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{
		"", "sqlite:", "sqlite://x", "postgres://", "postgres://ada:", "postgres://ada:%zz@", "host=x",
		"postgres://h/n?port=x&", "postgres://h/n?=&",
	} {
		f.Add(seed, "@host/name?sslmode=odd")
	}
	const password = "Pa55word-of-ada"
	f.Fuzz(func(t *testing.T, prefix, suffix string) {
		for _, candidate := range []string{
			prefix + suffix, "postgres://ada:" + password + suffix, prefix + url.UserPassword("ada", password).String() + suffix,
		} {
			if err := CheckURL(candidate); err != nil {
				assert.Equal(t, fault.Invalid, fault.CodeOf(err))
				assert.NotContains(t, err.Error(), password)
			}
		}
	})
}

func TestOpen_UnusableDatabaseIsUnavailable(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("not a database ", 10)), 0o600)) // longer than SQLite's header
	for name, url := range map[string]string{
		"folder is a file":    "sqlite:" + filepath.Join(file, "diy.db"),
		"file is a folder":    "sqlite:" + folder,
		"not a database":      "sqlite:" + file,
		"closed port":         "postgres://ada@127.0.0.1:1/diy",
		"non-existent socket": "postgres:///diy?host=" + folder,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), url)
			require.Equal(t, fault.Unavailable, fault.CodeOf(err))
		})
	}
}
