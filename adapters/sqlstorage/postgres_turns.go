package sqlstorage

import (
	"context"
	"database/sql"
)

// The number is "diymigra" in ASCII: whoever migrates the same database for another program does
// not stand in our way.
const (
	takeTurn = "SET statement_timeout = 0; SET lock_timeout = 0; " +
		"SELECT pg_advisory_lock(x'6469796d69677261'::bigint); RESET lock_timeout"
	endTurn = "SELECT pg_advisory_unlock(x'6469796d69677261'::bigint); RESET statement_timeout"
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

// SessionUnlock implements lock.SessionLocker. A connection that broke has let go of its lock.
func (advisoryLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, endTurn)
	return err
}
