// Package plugintest provides databases with the tables of a payment adapter for the adapter's tests.
package plugintest

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Template is a database with the tables of the application and of an adapter. It is migrated once and copied for each
// test.
type Template struct {
	sqlite   *sqlitetest.Template
	postgres *postgrestest.Template
}

// NewTemplate returns a template with an adapter's migrations, see plugin.Tables. name is the name of the adapter.
func NewTemplate(name string, migrations fs.FS) *Template {
	prepare := func(ctx context.Context, url string) error {
		store, err := sqlstorage.Open(ctx, url)
		if err != nil {
			return err
		}
		return errors.Join(store.Migrate(ctx), store.MigratePlugin(ctx, name, Tables(migrations)), store.Close())
	}
	return &Template{sqlitetest.NewTemplate(prepare), postgrestest.NewTemplate(prepare)}
}

// Tables returns a plugin.Tables that contains the migrations.
func Tables(migrations fs.FS) plugin.Tables { return tables{migrations} }

type tables struct{ migrations fs.FS }

// Migrations implements plugin.Tables.
func (t tables) Migrations() fs.FS { return t.migrations }

// SQLite returns a copy of the template on SQLite. It is closed and deleted at the end of the test.
func (template *Template) SQLite(t testing.TB) *sqlstorage.Store {
	t.Helper()
	return open(t, template.sqlite.URL(t))
}

// PostgreSQL returns a copy of the template on PostgreSQL. TestMain must call postgrestest.Run.
func (template *Template) PostgreSQL(t testing.TB) *sqlstorage.Store {
	t.Helper()
	return open(t, template.postgres.URL(t))
}

// ForEachDatabase runs a test on SQLite and on PostgreSQL.
func (template *Template) ForEachDatabase(t *testing.T, test func(*testing.T, *sqlstorage.Store)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, template.SQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, template.PostgreSQL(t)) })
}

func open(t testing.TB, url string) *sqlstorage.Store {
	t.Helper()
	store, err := sqlstorage.Open(t.Context(), url)
	if err != nil {
		t.Fatalf("opening the test's database: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("closing the test's database: %v", err)
		}
	})
	return store
}
