package sqlstorage

import (
	"context"
	"time"
)

// Instants compare with the database's own clock, which all servers share.
const (
	selectSession = "SELECT data FROM sessions WHERE token = ? AND expiry > CURRENT_TIMESTAMP"
	upsertSession = "INSERT INTO sessions (token, data, expiry, user_id) VALUES (?, ?, ?, ?) " +
		"ON CONFLICT (token) DO UPDATE SET data = excluded.data, expiry = excluded.expiry, user_id = excluded.user_id"
	deleteSession = "DELETE FROM sessions WHERE token = ?"
	sweepSessions = "DELETE FROM sessions WHERE expiry <= CURRENT_TIMESTAMP"
)

// Sessions keeps what the session library of the HTTP face writes: records under a token, until
// they expire. It is that library's CtxStore. Finding one, which every visit does, never waits for
// whoever writes.
type Sessions struct{ store *Store }

// Sessions are kept in the same database.
func (s *Store) Sessions() *Sessions { return &Sessions{s} }

// FindCtx returns a record, unless there is none or it has expired.
func (s *Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	var records [][]byte
	err = s.store.reader().list(ctx, &records, selectSession, token)
	if err != nil || len(records) == 0 {
		return nil, false, s.store.fault(err)
	}
	return records[0], true, nil
}

// CommitCtx writes a record, in place of the one with the same token.
func (s *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return s.CommitUserCtx(ctx, "", token, data, expiry)
}

// CommitUserCtx is CommitCtx for a record of a user, which is deleted when all sessions of the user end.
func (s *Sessions) CommitUserCtx(ctx context.Context, userID, token string, data []byte, expiry time.Time) error {
	return s.change(ctx, upsertSession, token, data, at(expiry), orNull(userID))
}

// DeleteCtx deletes a record, if there is one.
func (s *Sessions) DeleteCtx(ctx context.Context, token string) error {
	return s.change(ctx, deleteSession, token)
}

// Sweep deletes the records that have expired.
func (s *Sessions) Sweep(ctx context.Context) error { return s.change(ctx, sweepSessions) }

// Find is FindCtx for callers without a context.
func (s *Sessions) Find(token string) (data []byte, found bool, err error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx for callers without a context.
func (s *Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx for callers without a context.
func (s *Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

func (s *Sessions) change(ctx context.Context, statement string, args ...any) error {
	return s.store.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, statement, args...)
		return err
	})
}
