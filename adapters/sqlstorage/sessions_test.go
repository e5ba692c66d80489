package sqlstorage_test

import (
	"context"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

var _ scs.CtxStore = (*sqlstorage.Sessions)(nil)

func TestSessionIsFoundUntilItIsDeleted(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		url := k.ready(t)
		sessions, elsewhere := migrated(t, url).Sessions(), migrated(t, url).Sessions()
		later := time.Now().Add(time.Hour)
		requireRecord(t, sessions, "token", nil)

		require.NoError(t, sessions.Commit("token", []byte{0, 1, 0xff}, later))
		requireRecord(t, elsewhere, "token", []byte{0, 1, 0xff})
		require.NoError(t, elsewhere.Commit("token", []byte("changed"), later))
		requireRecord(t, sessions, "token", []byte("changed"))

		require.NoError(t, sessions.Delete("token"))
		require.NoError(t, sessions.Delete("token"), "it is gone already")
		requireRecord(t, elsewhere, "token", nil)
	})
}

func TestSessionExpires(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		sessions := s.Sessions()
		for token, lasts := range map[string]time.Duration{"over": -time.Second, "long over": -48 * time.Hour, "good": time.Minute} {
			// Another zone must not make it last longer.
			expiry := time.Now().Add(lasts).In(time.FixedZone("east", 10*60*60))
			require.NoError(t, sessions.Commit(token, []byte(token), expiry))
		}
		requireRecord(t, sessions, "over", nil)
		requireRecord(t, sessions, "good", []byte("good"))

		require.NoError(t, sessions.Sweep(t.Context()))
		var left int
		require.NoError(t, s.DB().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM sessions").Scan(&left))
		require.Equal(t, 1, left)
		requireRecord(t, sessions, "good", []byte("good"))
	})
}

// Every visit finds its session, whatever is being written meanwhile.
func TestFindingASessionDoesNotWaitForAWriter(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		require.NoError(t, s.Sessions().Commit("token", []byte("data"), time.Now().Add(time.Hour)))
		holdWriteLock(t, s)
		requireRecord(t, s.Sessions(), "token", []byte("data"))
	})
}

func TestSessionsHonourTheirContext(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		sessions := migrated(t, k.ready(t)).Sessions()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := sessions.FindCtx(over, "token")
		require.Equal(t, fault.Unavailable, fault.CodeOf(err))
		require.Equal(t, fault.Unavailable, fault.CodeOf(sessions.CommitCtx(over, "token", nil, noon)))
		require.Equal(t, fault.Unavailable, fault.CodeOf(sessions.DeleteCtx(over, "token")))
	})
}

// A database from before keeps its sessions: nobody is signed out by an upgrade.
func TestSessionsSurviveTheChangeOfTheirTable(t *testing.T) {
	s := opened(t, newFile(t))
	require.NoError(t, s.MigrateTo(t.Context(), 5))
	_, err := s.DB().ExecContext(t.Context(), "INSERT INTO sessions VALUES "+
		"('good', 'data', julianday('now', '+1 hour')), ('over', 'data', julianday('now', '-1 minute'))")
	require.NoError(t, err)
	require.NoError(t, s.Migrate(t.Context()))
	requireRecord(t, s.Sessions(), "good", []byte("data"))
	requireRecord(t, s.Sessions(), "over", nil)
}

func requireRecord(t *testing.T, sessions *sqlstorage.Sessions, token string, want []byte) {
	t.Helper()
	data, found, err := sessions.Find(token)
	require.NoError(t, err)
	require.Equal(t, want != nil, found)
	require.Equal(t, want, data)
}
