package sqlstorage_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

func TestMigrateMakesEveryTable(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := opened(t, k.empty(t))
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "not migrated yet")
		require.NoError(t, s.Migrate(t.Context()))
		require.NoError(t, s.Ready(t.Context()))

		for _, table := range []string{
			"organisations", "users", "verifications", "subscriptions", "operations", "events", "letters", "sessions", "secrets",
		} {
			var rows int
			require.NoError(t, s.DB().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&rows), table)
		}
	})
}

func TestMigrateTwiceChangesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		url := k.empty(t)
		s := migrated(t, url)
		before := schemaOf(t, s, k)
		require.NoError(t, s.Migrate(t.Context()))
		require.NoError(t, migrated(t, url).Ready(t.Context()))
		require.Equal(t, before, schemaOf(t, s, k))
	})
}

func TestServersThatStartTogetherMayAllMigrate(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		url := k.empty(t)
		var all sync.WaitGroup
		for range 4 {
			s := opened(t, url)
			all.Go(func() {
				assert.NoError(t, s.Migrate(t.Context()))
				assert.NoError(t, s.Ready(t.Context()))
			})
		}
		all.Wait()
	})
}

func TestReadyKnowsTheVersion(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		setVersion := func(change string) {
			_, err := s.DB().ExecContext(t.Context(), change)
			require.NoError(t, err)
		}
		setVersion("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)")
		require.NoError(t, s.Ready(t.Context()), "a newer server has migrated")
		setVersion("DELETE FROM goose_db_version WHERE version_id > 1")
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "migrations are missing")
	})
}

func TestReady_ReportsEveryMissingTableAndColumn(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		change := func(statement string) {
			_, err := s.DB().ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
		for _, table := range tablesOf(t, s, k) {
			change("ALTER TABLE " + table + " RENAME TO destroyed")
			require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "without the table %s", table)
			change("ALTER TABLE destroyed RENAME TO " + table)
			require.NoError(t, s.Ready(t.Context()), "%s is back", table)
		}
		change("ALTER TABLE users RENAME COLUMN password_hash TO destroyed")
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "without a column")
	})
}

// tablesOf lists the tables that the migrations made.
func tablesOf(t *testing.T, s *sqlstorage.Store, k kind) []string {
	t.Helper()
	query := "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'"
	if k.name == postgresKind.name {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version'"
	}
	rows, err := s.DB().QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var tables []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	require.NoError(t, rows.Err())
	require.Contains(t, tables, "users")
	return tables
}

// A migration that can't be done says so, is not tried for ever, and lets others try.
func TestMigrateReportsWhatFails(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := opened(t, k.empty(t))
		_, err := s.DB().ExecContext(t.Context(), "CREATE TABLE letters (id INTEGER)")
		require.NoError(t, err)
		err = s.Migrate(t.Context())
		require.Equal(t, fault.Internal, fault.CodeOf(err))
		require.ErrorContains(t, err, "letters")

		_, err = s.DB().ExecContext(t.Context(), "DROP TABLE letters")
		require.NoError(t, err)
		require.NoError(t, s.Migrate(t.Context()))
	})
}

// Who waits for another server's migration waits as long as there is time, and no longer.
func TestPostgresWaitsForItsTurnToMigrate(t *testing.T) {
	url := postgresKind.empty(t)
	s, other := opened(t, url), opened(t, url)
	turn, err := other.DB().Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, sqlstorage.TakeTurn(t.Context(), turn))

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.Equal(t, fault.Unavailable, fault.CodeOf(s.Migrate(ctx)))

	require.NoError(t, turn.Close(), "it goes back into the pool, lock and all")
	require.NoError(t, other.DB().Close(), "a server that dies lets go of its turn")
	require.NoError(t, s.Migrate(t.Context()))
}

// schemaOf is all that a database is made of.
func schemaOf(t *testing.T, s *sqlstorage.Store, k kind) string {
	t.Helper()
	query := "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
	if k.name == postgresKind.name {
		query = `SELECT table_name || column_name || data_type || is_nullable FROM information_schema.columns
			WHERE table_schema = 'public' UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
	}
	rows, err := s.DB().QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var schema strings.Builder
	for rows.Next() {
		var part string
		require.NoError(t, rows.Scan(&part))
		schema.WriteString(part + "\n")
	}
	require.NoError(t, rows.Err())
	require.Contains(t, schema.String(), "organisations_one_per_name")
	return schema.String()
}
