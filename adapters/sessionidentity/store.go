package sessionidentity

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/alexedwards/scs/v2"
)

// UserStore is a session store that can delete all sessions of a user. If the store implements it,
// NewSessions passes it the user of each session, and reads the records of a session in one call.
type UserStore interface {
	scs.CtxStore
	// CommitUserCtx stores a session as CommitCtx does, and its user.
	CommitUserCtx(ctx context.Context, userID, token string, data []byte, expiry time.Time) error
	// FindAllCtx returns the data of the sessions that FindCtx would find, by token.
	FindAllCtx(ctx context.Context, tokens ...string) (map[string][]byte, error)
}

// userIDKey is the context key of the user's ID.
type userIDKey struct{}

// withUser returns a context in which userStore stores sessions as those of the user.
func withUser(ctx context.Context, userID string) context.Context {
	return context.WithValue(ctx, userIDKey{}, userID)
}

// prefetch names a record that userStore reads in the same call as the session of a request, and contains the result.
type prefetch struct {
	token  string
	isRead bool
	data   []byte
	found  bool // whether the store has the record
}

// prefetchKey is the context key of the *prefetch.
type prefetchKey struct{}

// withPrefetch returns a context with which the first FindCtx of a userStore also reads the record of the token. A later
// FindCtx of that token returns the record without a call of the store.
func withPrefetch(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, prefetchKey{}, &prefetch{token: token})
}

// userStore adapts a UserStore to the session library. CommitCtx stores the session for the user in the context. FindCtx
// reads the prefetch in the context.
type userStore struct{ UserStore }

// CommitCtx implements scs.CtxStore.
func (s userStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	userID, _ := ctx.Value(userIDKey{}).(string)
	return s.CommitUserCtx(ctx, userID, token, data, expiry)
}

// FindCtx implements scs.CtxStore.
func (s userStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	p, ok := ctx.Value(prefetchKey{}).(*prefetch)
	switch {
	case !ok || p.isRead && p.token != token:
		return s.UserStore.FindCtx(ctx, token)
	case p.isRead:
		return p.data, p.found, nil
	}
	records, err := s.FindAllCtx(ctx, token, p.token)
	if err != nil {
		return nil, false, err
	}
	p.isRead = true
	p.data, p.found = records[p.token]
	data, found := records[token]
	return data, found, nil
}

// lastSeenPrecision is the minimum time between two writes of the record of a session that is in use.
const lastSeenPrecision = 5 * time.Minute

// now returns the real time, which the session library also uses.
func now() time.Time { return time.Now() } //nolint:forbidigo // see the package comment

// lastSeenStore stores the time of each session's last use, in records that expire after IdleLimit.
type lastSeenStore struct{ store scs.Store }

// touch reports whether the session was used within IdleLimit. It stores at as the time of its last use, unless the
// stored time is less than lastSeenPrecision ago.
func (s lastSeenStore) touch(ctx context.Context, token string, at time.Time) (bool, error) {
	data, found, err := s.find(ctx, lastSeenKey(token))
	if err != nil || !found {
		return false, err
	}
	var lastSeen time.Time
	if lastSeen.UnmarshalBinary(data) != nil || at.Sub(lastSeen) >= lastSeenPrecision {
		_ = s.set(ctx, token, at) // if it fails, the next request tries again, long before IdleLimit
	}
	return true, nil
}

// set stores at as the time of the session's last use.
func (s lastSeenStore) set(ctx context.Context, token string, at time.Time) error {
	data, err := at.UTC().MarshalBinary()
	if err != nil {
		return err
	}
	if c, ok := s.store.(scs.CtxStore); ok {
		return c.CommitCtx(ctx, lastSeenKey(token), data, at.Add(IdleLimit))
	}
	return s.store.Commit(lastSeenKey(token), data, at.Add(IdleLimit))
}

// delete deletes the session's record. It ignores failures, because the record is useless without the session and
// expires.
func (s lastSeenStore) delete(ctx context.Context, token string) {
	if c, ok := s.store.(scs.CtxStore); ok {
		_ = c.DeleteCtx(ctx, lastSeenKey(token))
		return
	}
	_ = s.store.Delete(lastSeenKey(token))
}

func (s lastSeenStore) find(ctx context.Context, key string) ([]byte, bool, error) {
	if c, ok := s.store.(scs.CtxStore); ok {
		return c.FindCtx(ctx, key)
	}
	return s.store.Find(key)
}

// lastSeenKey returns a key that can't collide with a token hash, so a client can't present the record as
// a session.
func lastSeenKey(token string) string {
	sum := sha256.Sum256([]byte("seen\x00" + token))
	return "seen-" + base64.RawURLEncoding.EncodeToString(sum[:])
}
