package sqlstorage

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

func TestReady_IsUnavailableUntilAllMigrationsAreApplied(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "not migrated")
		require.NoError(t, s.Migrate(t.Context()))
		require.NoError(t, s.Ready(t.Context()))
		exec(t, s, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)")
		require.NoError(t, s.Ready(t.Context()), "a newer version has migrated the database")
		exec(t, s, "DELETE FROM goose_db_version WHERE version_id > 0")
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "migrations are missing")
	})
}

func TestReady_ReportsEveryMissingTableAndColumn(t *testing.T) {
	selectTableNamesSQL := map[string]string{
		sqliteDatabase.name:   "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'",
		postgresDatabase.name: "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version'",
	}
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		for _, name := range selectStrings(t, s, selectTableNamesSQL[db.name]) {
			exec(t, s, "ALTER TABLE "+name+" RENAME TO renamed")
			require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "without the table %s", name)
			exec(t, s, "ALTER TABLE renamed RENAME TO "+name)
			require.NoError(t, s.Ready(t.Context()), name)
		}
		exec(t, s, "ALTER TABLE users RENAME COLUMN password_hash TO renamed")
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Ready(t.Context())), "without a column")
	})
}

func TestCheckWritableAndBacklog_AreUnavailableWhenTheContextEnded(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		require.NoError(t, s.CheckWritable(t.Context()))

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.CheckWritable(ctx)))
		_, err := s.Backlog(ctx)
		require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	})
}

func TestSQLiteCheckWritable_DeletedFileIsUnavailable(t *testing.T) {
	url := newSQLiteURL(t)
	s := openAndMigrate(t, url)
	require.NoError(t, os.Remove(pathFromURL(url)))
	require.Equal(t, fault.Unavailable, fault.CodeOf(s.CheckWritable(t.Context())))
}

func TestPostgresCheckWritable_ReadOnlyServerIsUnavailable(t *testing.T) {
	s := openStore(t, postgresDatabase.newMigratedURL(t)+"&default_transaction_read_only=on")
	err := s.CheckWritable(t.Context())
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "read-only")
}

func TestBacklog_CountsWaitingEmailsAndOperations(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		requireBacklog := func(emails, operations storage.QueueStats) {
			t.Helper()
			backlog, err := s.Backlog(t.Context())
			require.NoError(t, err)
			require.Equal(t, storage.Backlog{Emails: emails, Operations: operations}, backlog)
		}
		requireBacklog(storage.QueueStats{}, storage.QueueStats{})

		for i, name := range []string{"one", "two"} {
			createdAt := noon.Add(time.Duration(i) * time.Hour)
			signUp(t, s, name, createdAt)
			_, err := s.BeginOperation(t.Context(), billing.Operation{
				Key: "op_" + name, OrganisationID: "org_" + name, Kind: billing.CustomerOperation, CreatedAt: createdAt.Add(time.Minute),
			}, 0)
			require.NoError(t, err)
		}
		requireBacklog(storage.QueueStats{Count: 2, Oldest: noon}, storage.QueueStats{Count: 2, Oldest: noon.Add(time.Minute)})

		emails, err := s.ClaimEmails(t.Context(), noon.Add(time.Hour), time.Hour, 1)
		require.NoError(t, err)
		require.NoError(t, s.FinishEmail(t.Context(), emails[0].ID, storage.EmailOutcome{SentAt: noon}))
		_, err = s.SettleOperation(t.Context(), "op_one", billing.Settlement{}, noon.Add(time.Hour))
		require.NoError(t, err)
		requireBacklog(
			storage.QueueStats{Count: 1, Oldest: noon.Add(time.Hour)},
			storage.QueueStats{Count: 1, Oldest: noon.Add(61 * time.Minute)},
		)
	})
}
