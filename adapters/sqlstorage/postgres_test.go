package sqlstorage

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestRebindPostgres_NumbersThePlaceholdersOfAStatementOnce(t *testing.T) {
	statement := "SELECT name FROM rooms WHERE floor = ? AND size > ?"
	assert.Equal(t, "SELECT name FROM rooms WHERE floor = $1 AND size > $2", rebindPostgres(statement))
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { rebindPostgres(statement) }), 1.0, "the key of the cache")
}

func TestPostgresSettings_ApplyToBothPools(t *testing.T) {
	s := openStore(t, postgresDatabase.newUnmigratedURL(t))
	assert.Equal(t, 8, s.writePool.Stats().MaxOpenConnections)
	assert.Equal(t, 16, s.readPool.Stats().MaxOpenConnections)
	for name, pool := range map[string]*sqlx.DB{"writes": s.writePool, "reads": s.readPool} {
		t.Run(name, func(t *testing.T) {
			for setting, want := range map[string]string{
				"application_name": "diy", "TimeZone": "UTC", "statement_timeout": "15s", "lock_timeout": "5s",
				"idle_in_transaction_session_timeout": "30s", "default_transaction_isolation": "read committed",
				"synchronous_commit": "on", "client_encoding": "UTF8",
			} {
				assert.Equal(t, want, readSetting(t, pool, setting), setting)
			}
		})
	}
}

func TestPostgresSettings_URLTakesPrecedence(t *testing.T) {
	s := openStore(t, postgresDatabase.newUnmigratedURL(t)+"&lock_timeout=70ms&application_name=clinic")
	assert.Equal(t, "70ms", readSetting(t, s.writePool, "lock_timeout"))
	assert.Equal(t, "clinic", readSetting(t, s.readPool, "application_name"))
}

func TestPostgresSettings_AreRestoredAfterAMigration(t *testing.T) {
	s := openStore(t, postgresDatabase.newUnmigratedURL(t))
	s.writePool.SetMaxIdleConns(1)
	require.NoError(t, s.Migrate(t.Context()))
	assert.Equal(t, "15s", readSetting(t, s.writePool, "statement_timeout"))
	assert.Equal(t, "5s", readSetting(t, s.writePool, "lock_timeout"))
}

func readSetting(t *testing.T, pool *sqlx.DB, name string) string {
	t.Helper()
	var value string
	require.NoError(t, pool.GetContext(t.Context(), &value, "SELECT current_setting($1)", name))
	return value
}

func TestPostgresUpdate_LocksOnlyItsRows(t *testing.T) {
	s := openAndMigrate(t, postgresDatabase.newMigratedURL(t)+"&lock_timeout=100ms")
	ada, bob := signUp(t, s, "ada", noon), signUp(t, s, "bob", noon)
	_, err := s.UpdateUser(t.Context(), ada.ID, func(u *account.User) error {
		_, err := s.UpdateUser(t.Context(), ada.ID, setFirstName("second"))
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		_, err = s.UpdateUser(t.Context(), bob.ID, setFirstName("Bob"))
		assert.NoError(t, err)
		_, err = s.User(t.Context(), ada.ID)
		assert.NoError(t, err, "reads don't wait")
		return setFirstName("first")(u)
	})
	require.NoError(t, err)
	storedUser, err := s.User(t.Context(), ada.ID)
	require.NoError(t, err)
	require.Equal(t, "first", storedUser.FirstName)
}

func TestPostgresClaimEmails_SkipsLockedRows(t *testing.T) {
	s := openAndMigrate(t, postgresDatabase.newMigratedURL(t)+"&lock_timeout=100ms")
	signUp(t, s, "ada", noon)
	signUp(t, s, "bob", noon)
	tx, err := s.writePool.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), "SELECT id FROM emails ORDER BY id LIMIT 1 FOR UPDATE")
	require.NoError(t, err)

	emails, err := s.ClaimEmails(t.Context(), noon.Add(time.Hour), time.Hour, 10)
	require.NoError(t, err)
	require.Len(t, emails, 1)
	require.Equal(t, "bob@example.test", emails[0].Message.To)
	require.NoError(t, tx.Rollback())
}

func TestPostgresUpdate_DeadlineEndsTheWaitForALock(t *testing.T) {
	s := openAndMigrate(t, postgresDatabase.newMigratedURL(t))
	s.writePool.SetMaxOpenConns(2)
	ada := signUp(t, s, "ada", noon)
	_, err := s.UpdateUser(t.Context(), ada.ID, func(*account.User) error {
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			_, err := s.UpdateUser(ctx, ada.ID, setFirstName("late"))
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			cancel()
		}
		return nil
	})
	require.NoError(t, err)
	_, err = s.UpdateUser(t.Context(), ada.ID, setFirstName("in time"))
	require.NoError(t, err, "the connections are usable again")
}

func TestPostgresUpdate_IsRetriedAfterASerializationFailure(t *testing.T) {
	s := openAndMigrate(t, postgresDatabase.newMigratedURL(t)+"&lock_timeout=1min&default_transaction_isolation=serializable")
	ada := signUp(t, s, "ada", noon)
	otherTx, err := s.writePool.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	_, err = otherTx.ExecContext(t.Context(), "UPDATE users SET last_name = 'King' WHERE id = $1", ada.ID)
	require.NoError(t, err)
	var wg sync.WaitGroup
	wg.Go(func() {
		updatedUser, err := s.UpdateUser(t.Context(), ada.ID, setFirstName("Ada"))
		assert.NoError(t, err)
		assert.Equal(t, "King", updatedUser.LastName, "the retry reads the other change")
	})
	waitForBlockedConnection(t, s)
	require.NoError(t, otherTx.Commit())
	wg.Wait()
}

func TestPostgresTransaction_IsRetriedAfterADeadlock(t *testing.T) {
	const setLastNameSQL = "UPDATE users SET last_name = 'King' WHERE id = ?"
	url := postgresDatabase.newMigratedURL(t)
	s := openAndMigrate(t, url+"&lock_timeout=1min&deadlock_timeout=10ms") // detects the deadlock first
	ada, bob := signUp(t, s, "ada", noon), signUp(t, s, "bob", noon)
	otherTx, err := openStore(t, url+"&lock_timeout=1min&deadlock_timeout=1min").writePool.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	_, err = otherTx.ExecContext(t.Context(), otherTx.Rebind(setLastNameSQL), bob.ID)
	require.NoError(t, err)

	var wg sync.WaitGroup
	attempts := 0
	err = s.write(t.Context(), func(c conn) error {
		attempts++
		if attempts == 2 {
			wg.Wait() // until the other transaction, which waited for this one, has ended
		}
		if _, err := c.exec(t.Context(), setLastNameSQL, ada.ID); err != nil {
			return err
		}
		if attempts == 1 {
			wg.Go(func() {
				_, err := otherTx.ExecContext(t.Context(), otherTx.Rebind(setLastNameSQL), ada.ID)
				assert.NoError(t, err)
				assert.NoError(t, otherTx.Rollback())
			})
			waitForBlockedConnection(t, s)
		}
		_, err := c.exec(t.Context(), setLastNameSQL, bob.ID)
		return err
	})

	require.NoError(t, err)
	require.Equal(t, 2, attempts)
}

// waitForBlockedConnection waits until a connection waits for a lock. After a minute it fails the test.
func waitForBlockedConnection(t *testing.T, s *Store) {
	t.Helper()
	require.Eventually(t, func() bool {
		var isWaiting bool
		err := s.readPool.GetContext(t.Context(), &isWaiting, `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`)
		return err == nil && isWaiting
	}, time.Minute, 5*time.Millisecond)
}
