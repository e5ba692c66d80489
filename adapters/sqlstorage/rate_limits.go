package sqlstorage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/ports/ratelimit"
)

// The column used_until is the time, in Unix microseconds, at which all tries of a key are available again. Each try adds
// the limit's step to the column. The limit is exhausted when the column is Burst steps ahead of now.
const (
	takeTrySQL = "INSERT INTO rate_limits (key, used_until) VALUES (?, ?) " +
		"ON CONFLICT (key) DO UPDATE SET used_until = " +
		"CASE WHEN rate_limits.used_until > ? THEN rate_limits.used_until + ? ELSE excluded.used_until END " +
		"WHERE rate_limits.used_until <= ?"
	capCounterSQL      = "UPDATE rate_limits SET used_until = ? WHERE key = ? AND used_until > ?"
	selectRateLimitSQL = "SELECT used_until FROM rate_limits WHERE key = ?"
	giveBackTrySQL     = "UPDATE rate_limits SET used_until = used_until - ? WHERE key = ? AND used_until > ?"
	sweepRateLimitsSQL = "DELETE FROM rate_limits WHERE used_until <= ?"
)

var _ ratelimit.Counters = (*RateLimits)(nil)

// errExhausted rolls the transaction back if one of several limits is exhausted.
var errExhausted = errors.New("a limit is exhausted")

// RateLimits implements ratelimit.Counters in the database.
type RateLimits struct{ store *Store }

// RateLimits returns the counters of this database.
func (s *Store) RateLimits() *RateLimits { return &RateLimits{s} }

// Take implements ratelimit.Counters.
func (l *RateLimits) Take(ctx context.Context, now time.Time, tries ...ratelimit.Try) (time.Duration, error) {
	wait, needsCap, err := l.takeAll(ctx, now, tries)
	if err == nil && needsCap {
		if err = l.capCounters(ctx, now, tries); err == nil {
			wait, _, err = l.takeAll(ctx, now, tries)
		}
	}
	return wait, err
}

// takeAll takes the tries as Take does. needsCap reports that a counter exceeds its limit, so that the caller must call
// capCounters and try again.
func (l *RateLimits) takeAll(
	ctx context.Context, now time.Time, tries []ratelimit.Try,
) (wait time.Duration, needsCap bool, err error) {
	err = l.store.write(ctx, func(c conn) error {
		wait, needsCap = 0, false
		for _, try := range sortByKey(tries) {
			tryWait, err := c.take(ctx, now, try)
			if err != nil {
				return err
			}
			wait, needsCap = max(wait, tryWait), needsCap || tryWait > try.Step()
		}
		if wait > 0 {
			return callerError{errExhausted}
		}
		return nil
	})
	if errors.Is(err, errExhausted) {
		return wait, needsCap, nil
	}
	return 0, false, err
}

// capCounters reduces counters that exceed their limits, because a server's clock was ahead or the limit had a longer
// period. The reduced counters are exhausted.
func (l *RateLimits) capCounters(ctx context.Context, now time.Time, tries []ratelimit.Try) error {
	return l.store.write(ctx, func(c conn) error {
		for _, try := range sortByKey(tries) {
			maxUsedUntil := now.UnixMicro() + try.Step().Microseconds()*int64(try.Burst)
			if _, err := c.exec(ctx, capCounterSQL, maxUsedUntil, try.Key, maxUsedUntil); err != nil {
				return err
			}
		}
		return nil
	})
}

// sortByKey returns the tries in the order of their keys. All transactions lock the rows in this order, so that they can't
// deadlock.
func sortByKey(tries []ratelimit.Try) []ratelimit.Try {
	return slices.SortedFunc(slices.Values(tries), func(a, b ratelimit.Try) int { return cmp.Compare(a.Key, b.Key) })
}

// take takes one try and returns 0, or returns how long to wait until a try is available.
func (c conn) take(ctx context.Context, now time.Time, try ratelimit.Try) (time.Duration, error) {
	step := try.Step().Microseconds()
	latestUsedUntil := now.UnixMicro() + step*int64(try.Burst-1)
	updatedRows, err := c.exec(ctx, takeTrySQL, try.Key, now.UnixMicro()+step, now.UnixMicro(), step, latestUsedUntil)
	if err != nil || updatedRows > 0 {
		return 0, err
	}
	var usedUntil int64
	err = c.get(ctx, "limit", &usedUntil, selectRateLimitSQL, try.Key)
	return time.Duration(usedUntil-latestUsedUntil) * time.Microsecond, err
}

// GiveBack implements ratelimit.Counters.
func (l *RateLimits) GiveBack(ctx context.Context, now time.Time, tries ...ratelimit.Try) error {
	return l.store.write(ctx, func(c conn) error {
		for _, try := range sortByKey(tries) {
			if _, err := c.exec(ctx, giveBackTrySQL, try.Step().Microseconds(), try.Key, now.UnixMicro()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Sweep implements ratelimit.Counters.
func (l *RateLimits) Sweep(ctx context.Context, now time.Time) error {
	return l.store.execWrite(ctx, sweepRateLimitsSQL, now.UnixMicro())
}
