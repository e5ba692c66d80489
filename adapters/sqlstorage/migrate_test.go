package sqlstorage_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestMigrateMakesEveryTable(t *testing.T) {
	s := opened(t, newURL(t))
	require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "not migrated yet")
	require.NoError(t, s.Migrate(t.Context()))
	require.NoError(t, s.Ready(t.Context()))

	for _, table := range []string{
		"organisations", "users", "verifications", "subscriptions", "operations", "events", "letters", "sessions",
	} {
		var rows int
		require.NoError(t, s.DB().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&rows), table)
	}
}

func TestMigrateTwiceChangesNothing(t *testing.T) {
	url := newURL(t)
	s := migrated(t, url)
	before := schemaOf(t, s)
	require.NoError(t, s.Migrate(t.Context()))
	require.NoError(t, migrated(t, url).Ready(t.Context()))
	require.Equal(t, before, schemaOf(t, s))
}

func TestServersThatStartTogetherMayAllMigrate(t *testing.T) {
	url := newURL(t)
	var all sync.WaitGroup
	for range 4 {
		s := opened(t, url)
		all.Go(func() {
			assert.NoError(t, s.Migrate(t.Context()))
			assert.NoError(t, s.Ready(t.Context()))
		})
	}
	all.Wait()
}

func TestReadyKnowsTheVersion(t *testing.T) {
	s := migrated(t, newURL(t))
	setVersion := func(change string) {
		_, err := s.DB().ExecContext(t.Context(), change)
		require.NoError(t, err)
	}
	setVersion("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)")
	require.NoError(t, s.Ready(t.Context()), "a newer server has migrated")
	setVersion("DELETE FROM goose_db_version WHERE version_id > 1")
	require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "migrations are missing")
}

// A migration that can't be done says so, and is not tried for ever.
func TestMigrateReportsWhatFails(t *testing.T) {
	s := opened(t, newURL(t))
	_, err := s.DB().ExecContext(t.Context(), "CREATE TABLE letters (id INTEGER)")
	require.NoError(t, err)
	err = s.Migrate(t.Context())
	require.Equal(t, fault.Internal, fault.CodeOf(err))
	require.ErrorContains(t, err, "letters")
}
