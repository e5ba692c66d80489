package sqlstorage

import (
	"context"
	"crypto/rand"
	"time"
)

// Expiry is compared with the database's clock, which all servers share.
const (
	selectSessionsSQL = "SELECT token, data FROM sessions WHERE token IN (?) AND expiry > CURRENT_TIMESTAMP"
	upsertSessionSQL  = "INSERT INTO sessions (token, data, expiry, user_id) VALUES (?, ?, ?, ?) " +
		"ON CONFLICT (token) DO UPDATE SET data = excluded.data, expiry = excluded.expiry, user_id = excluded.user_id"
	deleteSessionSQL = "DELETE FROM sessions WHERE token = ?"
	sweepSessionsSQL = "DELETE FROM sessions WHERE expiry <= CURRENT_TIMESTAMP"
)

// Sessions stores HTTP sessions. It implements scs.CtxStore and sessionidentity.UserStore. FindCtx and FindAllCtx, which
// every request calls, never wait for writers.
type Sessions struct{ store *Store }

// Sessions returns the session store of this database.
func (s *Store) Sessions() *Sessions { return &Sessions{s} }

// FindCtx returns the data of a session, or false if there is none or it has expired.
func (s *Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	sessions, err := s.FindAllCtx(ctx, token)
	data, found = sessions[token]
	return data, found, err
}

// FindAllCtx returns the data of the sessions that have not expired, by token.
func (s *Sessions) FindAllCtx(ctx context.Context, tokens ...string) (map[string][]byte, error) {
	var rows []struct {
		Token string `db:"token"`
		Data  []byte `db:"data"`
	}
	if err := s.store.reader().listIn(ctx, &rows, selectSessionsSQL, tokens); err != nil {
		return nil, s.store.toFault(err)
	}
	dataByToken := map[string][]byte{}
	for _, row := range rows {
		dataByToken[row.Token] = row.Data
	}
	return dataByToken, nil
}

// CommitCtx stores a session, replacing one with the same token.
func (s *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return s.CommitUserCtx(ctx, "", token, data, expiry)
}

// CommitUserCtx stores a session of the user, replacing one with the same token. A password reset of the user deletes
// the session.
func (s *Sessions) CommitUserCtx(ctx context.Context, userID, token string, data []byte, expiry time.Time) error {
	return s.store.execWrite(ctx, upsertSessionSQL, token, data, newTimestamp(expiry), nullIfEmpty(userID))
}

// DeleteCtx deletes a session if it exists.
func (s *Sessions) DeleteCtx(ctx context.Context, token string) error {
	return s.store.execWrite(ctx, deleteSessionSQL, token)
}

// Sweep deletes expired sessions.
func (s *Sessions) Sweep(ctx context.Context) error { return s.store.execWrite(ctx, sweepSessionsSQL) }

// Find calls FindCtx with a background context. scs.Store requires it.
func (s *Sessions) Find(token string) (data []byte, found bool, err error) {
	return s.FindCtx(context.Background(), token)
}

// Commit calls CommitCtx with a background context.
func (s *Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete calls DeleteCtx with a background context.
func (s *Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

const (
	secretSize = 32 // bytes

	insertSecretSQL = "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING" //nolint:gosec // not a credential
	selectSecretSQL = "SELECT value FROM secrets WHERE name = ?"                               //nolint:gosec // not a credential
)

// Secret returns 32 random bytes, such as a key that signs cookies. The first call for a name generates and stores the
// bytes. All later calls for the name, on all servers of this database, return the same bytes.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	candidate := make([]byte, secretSize)
	_, _ = rand.Read(candidate) // never fails
	var secret []byte
	err := s.write(ctx, func(c conn) error {
		if _, err := c.exec(ctx, insertSecretSQL, name, candidate); err != nil {
			return err
		}
		return c.get(ctx, "secret", &secret, selectSecretSQL, name)
	})
	return secret, err
}
