package sqlstorage_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

func TestPostgresSettingsHold(t *testing.T) {
	s := opened(t, postgresKind.empty(t))
	for name, pool := range map[string]*sql.DB{"writes": s.DB(), "reads": s.Reads()} {
		t.Run(name, func(t *testing.T) {
			for setting, want := range map[string]string{
				"application_name": "diy", "TimeZone": "UTC", "statement_timeout": "15s", "lock_timeout": "5s",
				"idle_in_transaction_session_timeout": "30s", "default_transaction_isolation": "read committed",
				"synchronous_commit": "on", "client_encoding": "UTF8",
			} {
				assert.Equal(t, want, settingOf(t, pool, setting), setting)
			}
			assert.Equal(t, 8, pool.Stats().MaxOpenConnections)
		})
	}
	assert.Equal(t, "off", settingOf(t, s.DB(), "default_transaction_read_only"))
	assert.Equal(t, "on", settingOf(t, s.Reads(), "default_transaction_read_only"))
}

func TestPostgresURLHasTheLastWordOnSettings(t *testing.T) {
	s := opened(t, postgresKind.empty(t)+"&lock_timeout=70ms&application_name=clinic")
	assert.Equal(t, "70ms", settingOf(t, s.DB(), "lock_timeout"))
	assert.Equal(t, "clinic", settingOf(t, s.Reads(), "application_name"))
}

// A migration has put the session's timeouts aside; they hold again afterwards.
func TestPostgresSettingsHoldAfterAMigration(t *testing.T) {
	s := opened(t, postgresKind.empty(t))
	s.DB().SetMaxIdleConns(1)
	require.NoError(t, s.Migrate(t.Context()))
	assert.Equal(t, "15s", settingOf(t, s.DB(), "statement_timeout"))
	assert.Equal(t, "5s", settingOf(t, s.DB(), "lock_timeout"))
}

func settingOf(t *testing.T, pool *sql.DB, name string) string {
	t.Helper()
	var value string
	require.NoError(t, pool.QueryRowContext(t.Context(), "SELECT current_setting($1)", name).Scan(&value))
	return value
}

func TestPostgresReadPoolCannotWrite(t *testing.T) {
	s := migrated(t, postgresKind.ready(t))
	_, err := s.Reads().ExecContext(t.Context(), "DELETE FROM letters")
	require.ErrorContains(t, err, "read-only transaction")
}

// A row that somebody changes keeps those waiting who change it, too, and nobody else.
func TestPostgresLocksOnlyWhatIsChanged(t *testing.T) {
	s := migrated(t, postgresKind.ready(t)+"&lock_timeout=100ms")
	ada, bob := registered(t, s, "ada"), registered(t, s, "bob")
	_, err := s.UpdateUser(t.Context(), ada, func(u *account.User) error {
		_, err := s.UpdateUser(t.Context(), ada, renamed("waits"))
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		_, err = s.UpdateUser(t.Context(), bob, renamed("goes on"))
		assert.NoError(t, err)
		_, err = s.User(t.Context(), ada)
		assert.NoError(t, err, "reads never wait")
		return renamed("first")(u)
	})
	require.NoError(t, err)
	got, err := s.User(t.Context(), ada)
	require.NoError(t, err)
	require.Equal(t, "first", got.FirstName)
}

// A claim under way keeps its emails to itself, and nobody waits for it.
func TestPostgresClaimsPassOverWhatIsClaimed(t *testing.T) {
	s := migrated(t, postgresKind.ready(t)+"&lock_timeout=100ms")
	registered(t, s, "ada")
	registered(t, s, "bob")
	tx, err := s.DB().BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), "SELECT id FROM letters ORDER BY id LIMIT 1 FOR UPDATE")
	require.NoError(t, err)

	emails, err := s.ClaimEmails(t.Context(), noon.Add(time.Hour), noon.Add(2*time.Hour), 10)
	require.NoError(t, err)
	require.Len(t, emails, 1)
	require.Equal(t, "bob@example.test", emails[0].Message.To)
	require.NoError(t, tx.Rollback())
}

// Who waits for a lock waits no longer than there is time, and what it waited with is of use again.
func TestPostgresDeadlineEndsWaiting(t *testing.T) {
	s := migrated(t, postgresKind.ready(t))
	s.DB().SetMaxOpenConns(2)
	ada := registered(t, s, "ada")
	_, err := s.UpdateUser(t.Context(), ada, func(*account.User) error {
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			_, err := s.UpdateUser(ctx, ada, renamed("late"))
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			cancel()
		}
		return nil
	})
	require.NoError(t, err)
	_, err = s.UpdateUser(t.Context(), ada, renamed("in time"))
	require.NoError(t, err)
}

func renamed(name string) func(*account.User) error {
	return func(u *account.User) error {
		u.FirstName = name
		return nil
	}
}

// registered signs a user up and returns the user's id.
func registered(t *testing.T, s *sqlstorage.Store, name string) string {
	t.Helper()
	in := storage.Signup{
		Organisation: account.Organisation{ID: name + "'s", Name: name + "'s", CreatedAt: noon},
		User:         account.User{ID: name, OrganisationID: name + "'s", Email: name + "@example.test", CreatedAt: noon},
		Verification: account.Verification{TokenHash: name, UserID: name, ExpiresAt: noon},
	}
	in.Email.To = in.User.Email
	require.NoError(t, s.CreateSignup(t.Context(), in))
	return name
}
