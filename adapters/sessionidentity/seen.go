package sessionidentity

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/alexedwards/scs/v2"
)

// seenEvery is how exactly we know when a browser was last seen: a busy session costs one write
// in this time, not one a request.
const seenEvery = 5 * time.Minute

// now is the present on the computer's own clock, which the session library runs on too.
func now() time.Time { return time.Now() } //nolint:forbidigo // see the package comment

// seen remembers when each session was last used, in records that the store forgets after
// IdleLimit.
type seen struct{ store scs.Store }

// check reports whether the session was used within IdleLimit, and notes that it is used now.
func (s seen) check(ctx context.Context, token string, at time.Time) (bool, error) {
	data, found, err := s.find(ctx, seenKey(token))
	if err != nil || !found {
		return false, err
	}
	var last time.Time
	if last.UnmarshalBinary(data) != nil || at.Sub(last) >= seenEvery {
		// A failure costs nothing yet: the next visit tries again, long before the limit.
		_ = s.note(ctx, token, at)
	}
	return true, nil
}

// note makes the session last for IdleLimit from then on, if it lasts at all.
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

// forget tidies up. What it can't delete is worth nothing and expires by itself.
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

// seenKey is no token's hash, so that nobody can bring a record of ours as their session.
func seenKey(token string) string {
	sum := sha256.Sum256([]byte("seen\x00" + token))
	return "seen-" + base64.RawURLEncoding.EncodeToString(sum[:])
}
