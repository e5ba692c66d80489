package sqlstorage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/ports/ratelimit"
)

// A key's row says until when its limit is not whole again. Every try moves that instant by the
// limit's step; it never gets further away than all of the limit's steps.
const (
	takeTry = "INSERT INTO rate_limits (key, used_until) VALUES (?, ?) " +
		"ON CONFLICT (key) DO UPDATE SET used_until = " +
		"CASE WHEN rate_limits.used_until > ? THEN rate_limits.used_until + ? ELSE excluded.used_until END " +
		"WHERE rate_limits.used_until <= ?"
	selectUsed      = "SELECT used_until FROM rate_limits WHERE key = ?"
	giveTryBack     = "UPDATE rate_limits SET used_until = used_until - ? WHERE key = ? AND used_until > ?"
	sweepRateLimits = "DELETE FROM rate_limits WHERE used_until <= ?"
)

var _ ratelimit.Counters = (*RateLimits)(nil)

// errUsedUp undoes the tries that were counted before one that could not be.
var errUsedUp = errors.New("a limit is used up")

// RateLimits is a ratelimit.Counters.
type RateLimits struct{ store *Store }

// RateLimits are kept in the same database.
func (s *Store) RateLimits() *RateLimits { return &RateLimits{s} }

// Take counts all of the tries or none. Each of them is one statement, which locks its row.
func (l *RateLimits) Take(ctx context.Context, now time.Time, tries ...ratelimit.Try) (time.Duration, error) {
	var wait time.Duration
	err := l.store.write(ctx, func(c conn) error {
		wait = 0
		for _, try := range inOrder(tries) {
			more, err := c.take(ctx, now, try)
			if err != nil {
				return err
			}
			wait = max(wait, more)
		}
		if wait > 0 {
			return callersError{errUsedUp}
		}
		return nil
	})
	if errors.Is(err, errUsedUp) {
		return wait, nil
	}
	return 0, err
}

// inOrder makes everybody lock rows in one order, so that nobody waits for each other.
func inOrder(tries []ratelimit.Try) []ratelimit.Try {
	return slices.SortedFunc(slices.Values(tries), func(a, b ratelimit.Try) int { return cmp.Compare(a.Key, b.Key) })
}

// take counts one try, or tells how long it takes until there is one left.
func (c conn) take(ctx context.Context, now time.Time, try ratelimit.Try) (time.Duration, error) {
	step := try.Step().Microseconds()
	latest := now.UnixMicro() + step*int64(try.Most-1)
	counted, err := c.exec(ctx, takeTry, try.Key, now.UnixMicro()+step, now.UnixMicro(), step, latest)
	if err != nil || counted > 0 {
		return 0, err
	}
	var used int64
	err = c.get(ctx, "limit", &used, selectUsed, try.Key)
	return time.Duration(used-latest) * time.Microsecond, err
}

// GiveBack undoes tries.
func (l *RateLimits) GiveBack(ctx context.Context, now time.Time, tries ...ratelimit.Try) error {
	return l.store.write(ctx, func(c conn) error {
		for _, try := range inOrder(tries) {
			if _, err := c.exec(ctx, giveTryBack, try.Step().Microseconds(), try.Key, now.UnixMicro()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Sweep forgets the keys whose tries have all come back.
func (l *RateLimits) Sweep(ctx context.Context, now time.Time) error {
	return l.store.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, sweepRateLimits, now.UnixMicro())
		return err
	})
}
