// Package releases checks that this version reads the databases of earlier ones.
//
// testdata has a folder for each release whose schema or values differ from the one before, with a compressed dump of a database for
// SQLite and for PostgreSQL, and with what the use cases read from it. The files do not change after the release.
// UPDATE_RELEASE=1.0.0 go test -run TestGenerate ./cmd/diy/releases writes those of a release that is being prepared.
package releases

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/audit"
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

// database is a kind of database with its file in the folder of a release.
type database struct {
	name, driver string
	newURL       func(t *testing.T) string // of an empty database
}

var databases = []database{
	{"SQLite", "sqlite", func(t *testing.T) string { t.Helper(); return "sqlite:" + filepath.Join(t.TempDir(), "diy.db") }},
	{"PostgreSQL", "pgx", func(t *testing.T) string { t.Helper(); return postgrestest.URL(t) }},
}

// file returns the path of the dump of a release, or of the recorded readings.
func (d database) file(release, extension string) string {
	return filepath.Join("testdata", release, strings.ToLower(d.name)+extension)
}

func (d database) open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(d.driver, strings.TrimPrefix(url, "sqlite:"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// restore returns the URL of a new database with the content of the dump.
func (d database) restore(t *testing.T, release string) string {
	t.Helper()
	dump := readCompressed(t, d.file(release, ".sql.gz"))
	url := d.newURL(t)
	if d.driver == "sqlite" {
		require.NoError(t, sqlitetest.Restore(t.Context(), strings.TrimPrefix(url, "sqlite:"), dump))
		return url
	}
	_, err := d.open(t, url).ExecContext(t.Context(), dump)
	require.NoError(t, err)
	return url
}

// migrate brings the tables of the application and of both plugins up to date.
func migrate(t *testing.T, url string) {
	t.Helper()
	require.NoError(t, apptest.Migrate(t.Context(), url))
	env := apptest.New(t, apptest.WithDatabase(url), apptest.WithGateway(fakegateway.CardsAndDebits(), nil))
	require.NoError(t, env.Store.MigratePlugin(t.Context(), "invoice", invoicepayment.Adapter{}))
}

// releaseNames returns the names of the folders in testdata.
func releaseNames(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// forEachRelease runs fn with every dump.
func forEachRelease(t *testing.T, fn func(t *testing.T, d database, release string)) {
	t.Helper()
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			for _, release := range releaseNames(t) {
				t.Run(release, func(t *testing.T) { fn(t, d, release) })
			}
		})
	}
}

func TestRelease_DatabaseIsMigratedAndRead(t *testing.T) {
	forEachRelease(t, func(t *testing.T, d database, release string) {
		url := d.restore(t, release)
		migrate(t, url)
		recorded, err := os.ReadFile(d.file(release, ".json"))
		require.NoError(t, err)
		var want readings
		require.NoError(t, json.Unmarshal(recorded, &want))

		got, err := json.Marshal(d.read(t, url, want.At))

		require.NoError(t, err)
		assert.JSONEq(t, string(recorded), string(got))
	})
}

func TestRelease_AuditLogIsVerified(t *testing.T) {
	forEachRelease(t, func(t *testing.T, d database, release string) {
		url := d.restore(t, release)
		migrate(t, url)
		server := apptest.New(t, apptest.WithDatabase(url), apptest.WithGateway(fakegateway.CardsAndDebits(), nil)).App
		for _, class := range audit.Classes() {
			result, err := server.VerifyAuditLog.Do(t.Context(), class)
			require.NoError(t, err)
			assert.Empty(t, result.Problems)
			assert.NotZero(t, result.Entries)
		}
	})
}

// A migrated database has the tables of a new one, so that a change of the baseline is noticed.
func TestRelease_MigratedSchemaIsThatOfANewDatabase(t *testing.T) {
	forEachRelease(t, func(t *testing.T, d database, release string) {
		migrated, created := d.restore(t, release), d.newURL(t)
		migrate(t, migrated)
		migrate(t, created)

		assert.ElementsMatch(t, d.schema(t, created), d.schema(t, migrated))
	})
}

// schema returns the definitions of the tables, indexes and triggers, sorted.
func (d database) schema(t *testing.T, url string) (definitions []string) {
	t.Helper()
	if d.driver == "sqlite" {
		definitions = queryStrings(t, d.open(t, url), "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
	} else {
		definitions = queryStrings(t, d.open(t, url), `
			SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default)
				FROM information_schema.columns WHERE table_schema = 'public'
			UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
			UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
			UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
			UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace`)
	}
	slices.Sort(definitions)
	return definitions
}

// TestRelease_HoldsEveryColumnAndValue fails for a column and a declared value that occur in no dump.
func TestRelease_HoldsEveryColumnAndValue(t *testing.T) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			filledColumns, stored := map[string]bool{}, storedValues{}
			for _, release := range releaseNames(t) {
				url := d.restore(t, release)
				migrate(t, url)
				d.readColumns(t, url, filledColumns, stored)
			}
			for column, isFilled := range filledColumns {
				assert.True(t, isFilled || unreleased[column] != "", "no dump has a value of the column %s", column)
			}
			declared := declaredValues(t)
			for typeName, values := range declared {
				places, isStored := storedTypes[typeName]
				assert.NotEqual(t, isStored, slices.Contains(computedTypes, typeName), "add %s to storedTypes or to computedTypes", typeName)
				for _, value := range values {
					assert.True(t, !isStored || stored.contains(places, value) || unreleased[typeName+"="+value] != "",
						"no dump has the value %q of %s", value, typeName)
				}
			}
			for typeName := range storedTypes {
				assert.Contains(t, declared, typeName)
			}
		})
	}
}

// readColumns adds the columns of all tables, with whether a row has a value other than NULL, "", 0 and false, and the values.
func (d database) readColumns(t *testing.T, url string, filledColumns map[string]bool, stored storedValues) {
	t.Helper()
	db := d.open(t, url)
	list := "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
	if d.driver != "sqlite" {
		list = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'"
	}
	for _, name := range queryStrings(t, db, list) {
		table, column, _ := strings.Cut(name, ".")
		if strings.HasPrefix(table, "goose_") {
			continue // of the migrations
		}
		values := queryStrings(t, db, "SELECT DISTINCT CAST("+column+" AS text) FROM "+table+" WHERE "+column+" IS NOT NULL")
		filledColumns[name] = filledColumns[name] || slices.ContainsFunc(values, func(v string) bool {
			return v != "" && v != "0" && v != "false"
		})
		for _, value := range values {
			stored.add(name, value)
		}
	}
}
