package sessionidentity

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/alexedwards/scs/v2"
)

// seenEvery is the precision of the time of the last request: an active session costs one write in this
// time, not one per request.
const seenEvery = 5 * time.Minute

// now returns the real time, which the session library uses too.
func now() time.Time { return time.Now() } //nolint:forbidigo // see the package comment

// seen stores when each session was last used, in records that expire after IdleLimit.
type seen struct{ store scs.Store }

// check reports whether the session was used within IdleLimit, and records that it is used now.
func (s seen) check(ctx context.Context, token string, at time.Time) (bool, error) {
	data, found, err := s.find(ctx, seenKey(token))
	if err != nil || !found {
		return false, err
	}
	var last time.Time
	if last.UnmarshalBinary(data) != nil || at.Sub(last) >= seenEvery {
		// Ignore a failure: the next request tries again, long before the limit.
		_ = s.note(ctx, token, at)
	}
	return true, nil
}

// note records that the session is used, which extends it by IdleLimit at most.
func (s seen) note(ctx context.Context, token string, at time.Time) error {
	data, err := at.UTC().MarshalBinary()
	if err != nil {
		return err
	}
	if c, ok := s.store.(scs.CtxStore); ok {
		return c.CommitCtx(ctx, seenKey(token), data, at.Add(IdleLimit))
	}
	return s.store.Commit(seenKey(token), data, at.Add(IdleLimit))
}

// forget deletes the record. If that fails, the record is useless without its session and expires.
func (s seen) forget(ctx context.Context, token string) {
	if c, ok := s.store.(scs.CtxStore); ok {
		_ = c.DeleteCtx(ctx, seenKey(token))
		return
	}
	_ = s.store.Delete(seenKey(token))
}

func (s seen) find(ctx context.Context, key string) ([]byte, bool, error) {
	if c, ok := s.store.(scs.CtxStore); ok {
		return c.FindCtx(ctx, key)
	}
	return s.store.Find(key)
}

// seenKey returns a key that can't collide with a token hash, so a client can't present the record as a
// session.
func seenKey(token string) string {
	sum := sha256.Sum256([]byte("seen\x00" + token))
	return "seen-" + base64.RawURLEncoding.EncodeToString(sum[:])
}
