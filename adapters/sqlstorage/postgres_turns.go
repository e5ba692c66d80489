package sqlstorage

import (
	"context"
	"database/sql"

	"github.com/vc-admin/diy/domain/fault"
)

// The number is "diymigra" in ASCII: whoever migrates the same database for another program does
// not stand in our way.
const (
	takeTurn = "SET statement_timeout = 0; SET lock_timeout = 0; " +
		"SELECT pg_advisory_lock(x'6469796d69677261'::bigint); RESET lock_timeout"
	hurryAnew   = "RESET statement_timeout"
	endTurn     = "SELECT pg_advisory_unlock(x'6469796d69677261'::bigint)"
	lostTheTurn = "Others may have migrated at the same time, and the next who does may wait in vain: " +
		"migrate with PostgreSQL's own address, not through a pooler that hands out transactions"
)

// advisoryLock lets one server migrate at a time: a lock.SessionLocker. The others wait, as long
// as their context lets them, and find nothing left to do. A migration may take its time, but
// waits for the locks of others no longer than anybody.
type advisoryLock struct{}

// SessionLock implements lock.SessionLocker.
func (advisoryLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, takeTurn)
	return err
}

// SessionUnlock implements lock.SessionLocker. A connection that broke has let go of its lock. One
// that knows of none is not the one that took it: a pooler has exchanged what is behind it, and
// somewhere the lock is still held.
func (advisoryLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, hurryAnew); err != nil {
		return err
	}
	var held bool
	if err := conn.QueryRowContext(ctx, endTurn).Scan(&held); err != nil {
		return err
	}
	if !held {
		return fault.New(fault.Unavailable, lostTheTurn)
	}
	return nil
}
