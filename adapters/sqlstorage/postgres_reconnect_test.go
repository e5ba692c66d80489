package sqlstorage

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// terminatorOption is the URL option for a store whose connections terminateConnections does not end.
const terminatorOption = "&application_name=terminator"

// terminateConnections ends all connections to the database except those with terminatorOption, and waits until they
// have ended.
func terminateConnections(t *testing.T, s *Store) {
	t.Helper()
	for _, timeout := range []int{0, 5000} { // first signal all, then wait
		_, err := s.writePool.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid, $1) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name <> 'terminator'`, timeout)
		assert.NoError(t, err)
	}
}

// openAllConnections opens all connections of a pool.
func openAllConnections(t *testing.T, pool *sqlx.DB) {
	t.Helper()
	var conns []*sqlx.Conn
	for range pool.Stats().MaxOpenConnections {
		poolConn, err := pool.Connx(t.Context())
		require.NoError(t, err)
		conns = append(conns, poolConn)
	}
	for _, poolConn := range conns {
		require.NoError(t, poolConn.Close())
	}
}

func TestPostgres_ReconnectsAfterAllConnectionsBroke(t *testing.T) {
	url := postgresDatabase.newMigratedURL(t)
	s, terminator := openAndMigrate(t, url), openStore(t, url+terminatorOption)
	ada := signUp(t, s, "ada", noon)
	for range 3 {
		openAllConnections(t, s.writePool)
		openAllConnections(t, s.readPool)
		terminateConnections(t, terminator)
		_, err := s.User(t.Context(), ada.ID)
		require.NoError(t, err)
		_, err = s.Organisation(t.Context(), ada.OrganisationID)
		require.NoError(t, err)
		require.NoError(t, s.RecordEvent(t.Context(), storage.ReceivedEvent{ID: "event", Type: "customer", Outcome: storage.EventApplied, ReceivedAt: noon}))
		require.NoError(t, s.Ready(t.Context()))
	}
}

func TestPostgresUpdate_IsRetriedWhenItsConnectionBreaks(t *testing.T) {
	url := postgresDatabase.newMigratedURL(t)
	s, terminator := openAndMigrate(t, url), openStore(t, url+terminatorOption)
	ada := signUp(t, s, "ada", noon)
	attempts := 0
	updatedUser, err := s.UpdateUser(t.Context(), ada.ID, func(u *account.User) error {
		if attempts++; attempts < 3 {
			terminateConnections(t, terminator)
		}
		u.FirstName += "!"
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, attempts)
	require.Equal(t, "!", updatedUser.FirstName)
}

// TestPostgresUpdates_AreNotLostWhileConnectionsBreak checks that acknowledged updates are stored exactly once. The
// outcome of an update is unknown only if its connection broke during the commit.
func TestPostgresUpdates_AreNotLostWhileConnectionsBreak(t *testing.T) {
	url := postgresDatabase.newMigratedURL(t)
	s, terminator := openAndMigrate(t, url), openStore(t, url+terminatorOption)
	ada := signUp(t, s, "ada", noon)
	var acknowledgedCount, unknownCount atomic.Int64
	var workers, background sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	background.Go(func() {
		for ticker := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-ticker.C {
			terminateConnections(t, terminator)
		}
	})
	for range 4 {
		workers.Go(func() {
			for range 50 {
				if _, err := s.UpdateUser(t.Context(), ada.ID, incrementFirstName); err == nil {
					acknowledgedCount.Add(1)
				} else if assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "%v", err) {
					unknownCount.Add(1)
				}
			}
		})
	}
	workers.Wait()
	cancel()
	background.Wait()

	storedUser, err := s.User(t.Context(), ada.ID)
	require.NoError(t, err)
	count, err := strconv.ParseInt(storedUser.FirstName, 10, 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, count, acknowledgedCount.Load(), "no acknowledged update is lost")
	require.LessOrEqual(t, count, acknowledgedCount.Load()+unknownCount.Load(), "no update is stored twice")
	t.Logf("%d acknowledged, %d unknown, %d stored", acknowledgedCount.Load(), unknownCount.Load(), count)
}

func incrementFirstName(u *account.User) error {
	count, _ := strconv.Atoi(u.FirstName) // the empty name counts as 0
	u.FirstName = strconv.Itoa(count + 1)
	return nil
}
