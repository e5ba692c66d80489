package tables_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const migration = `-- +goose Up
CREATE TABLE test_responses (
	key TEXT NOT NULL PRIMARY KEY, fingerprint TEXT NOT NULL, response TEXT NOT NULL, created_at BIGINT NOT NULL
);
CREATE TABLE test_customers (
	id TEXT NOT NULL PRIMARY KEY, next_at BIGINT NOT NULL, changes BIGINT NOT NULL DEFAULT 0,
	reported BIGINT NOT NULL DEFAULT 0, failures BIGINT NOT NULL DEFAULT 0
);`

// adapter has the tables of Keys and Customers.
type adapter struct{}

func (adapter) Migrations() fs.FS {
	file := &fstest.MapFile{Data: []byte(migration)}
	return fstest.MapFS{"sqlite/00001_test.sql": file, "postgres/00001_test.sql": file}
}

func prepare(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(store.Migrate(ctx), store.MigratePlugin(ctx, "test", adapter{}), store.Close())
}

var (
	sqliteTemplate   = sqlitetest.NewTemplate(prepare)
	postgresTemplate = postgrestest.NewTemplate(prepare)
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// env is a database with the tables, and a clock that the test moves.
type env struct {
	*sqlstorage.Store
	clock *devclock.Clock
}

// forEachDatabase runs a test on SQLite and on PostgreSQL.
func forEachDatabase(t *testing.T, test func(*testing.T, *env)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, newEnv(t, sqliteTemplate.URL(t))) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, newEnv(t, postgresTemplate.URL(t))) })
}

func newEnv(t *testing.T, url string) *env {
	t.Helper()
	store, err := sqlstorage.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	return &env{Store: store, clock: clock}
}

func (e *env) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
}

func (e *env) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	require.NoError(t, e.Database().Write(t.Context(), func(tx plugin.Tx) error {
		_, err := tx.Exec(t.Context(), statement, args...)
		return err
	}))
}
