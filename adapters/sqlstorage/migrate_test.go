package sqlstorage

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

// selectStrings returns the first column of a query, which must return rows.
func selectStrings(t *testing.T, s *Store, query string) (values []string) {
	t.Helper()
	require.NoError(t, s.readPool.SelectContext(t.Context(), &values, query))
	require.NotEmpty(t, values)
	return values
}

func TestMigrate_ConcurrentServersSucceed(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		url := db.newUnmigratedURL(t)
		var wg sync.WaitGroup
		for range 4 {
			s := openStore(t, url)
			wg.Go(func() {
				assert.NoError(t, s.Migrate(t.Context()))
				assert.NoError(t, s.Ready(t.Context()))
			})
		}
		wg.Wait()
	})
}

func TestMigrate_SucceedsAfterAFailure(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		exec(t, s, "CREATE TABLE emails (id INTEGER)")
		err := s.Migrate(t.Context())
		require.Equal(t, fault.Internal, fault.CodeOf(err))
		require.ErrorContains(t, err, "emails")

		exec(t, s, "DROP TABLE emails")
		require.NoError(t, s.Migrate(t.Context()))
	})
}

func TestMigrate_RefusesTablesOfAnUnreleasedVersion(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		exec(t, s, "ALTER TABLE emails RENAME TO letters")

		err := s.Migrate(t.Context())

		require.Equal(t, fault.Unavailable, fault.CodeOf(err))
		require.ErrorContains(t, err, "a version before 1.0.0 can't be migrated")
	})
}

func TestPostgresMigrate_WaitsForTheLockUntilTheContextEnds(t *testing.T) {
	url := postgresDatabase.newUnmigratedURL(t)
	s, otherStore := openStore(t, url), openStore(t, url)
	lockingConn, err := otherStore.writePool.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, advisoryLock{}.SessionLock(t.Context(), lockingConn))

	ctx, cancel := context.WithCancel(t.Context())
	migrateErr := make(chan error, 1)
	go func() { migrateErr <- s.Migrate(ctx) }()
	waitForBlockedConnection(t, s)
	cancel()
	require.Equal(t, fault.Unavailable, fault.CodeOf(<-migrateErr))
	require.NoError(t, lockingConn.Close())
}

// TestPostgresMigrate_ReportsALostLock locks in one session and unlocks in another, as happens behind a pooler.
func TestPostgresMigrate_ReportsALostLock(t *testing.T) {
	s := openStore(t, postgresDatabase.newUnmigratedURL(t))
	owner, err := s.writePool.Conn(t.Context())
	require.NoError(t, err)
	otherConn, err := s.writePool.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, advisoryLock{}.SessionLock(t.Context(), owner))

	err = advisoryLock{}.SessionUnlock(t.Context(), otherConn)

	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "migrate with PostgreSQL's own address")
	require.NoError(t, advisoryLock{}.SessionUnlock(t.Context(), owner))
	require.NoError(t, owner.Close())
	require.NoError(t, otherConn.Close())
}
