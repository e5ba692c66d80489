package tables_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/plugintest"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// migration creates the tables of Keys and Customers.
const migration = `-- +goose Up
CREATE TABLE test_responses (
	key TEXT NOT NULL PRIMARY KEY, fingerprint TEXT NOT NULL, response TEXT NOT NULL, created_at BIGINT NOT NULL
);
CREATE TABLE test_customers (
	id TEXT NOT NULL PRIMARY KEY, next_at BIGINT NOT NULL, changes BIGINT NOT NULL DEFAULT 0,
	reported BIGINT NOT NULL DEFAULT 0, failures BIGINT NOT NULL DEFAULT 0
);`

var databases = plugintest.NewTemplate("test", fstest.MapFS{
	"sqlite/00001_test.sql":   &fstest.MapFile{Data: []byte(migration)},
	"postgres/00001_test.sql": &fstest.MapFile{Data: []byte(migration)},
})

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// env is a database with the tables, and a clock that the test moves.
type env struct {
	*sqlstorage.Store
	clock *devclock.Clock
}

// forEachDatabase runs a test on SQLite and on PostgreSQL.
func forEachDatabase(t *testing.T, test func(*testing.T, *env)) {
	t.Helper()
	databases.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		clock, err := devclock.Open("", func() time.Time { return noon })
		require.NoError(t, err)
		test(t, &env{Store: store, clock: clock})
	})
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
