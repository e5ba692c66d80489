package sqlstorage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/ports/ratelimit"
)

// used_until is the time, in microseconds, at which all tries of a key are available again. A try
// moves it by the limit's step, up to the sum of all steps from now.
const (
	takeTry = "INSERT INTO rate_limits (key, used_until) VALUES (?, ?) " +
		"ON CONFLICT (key) DO UPDATE SET used_until = " +
		"CASE WHEN rate_limits.used_until > ? THEN rate_limits.used_until + ? ELSE excluded.used_until END " +
		"WHERE rate_limits.used_until <= ?"
	capUsed         = "UPDATE rate_limits SET used_until = ? WHERE key = ? AND used_until > ?"
	selectUsed      = "SELECT used_until FROM rate_limits WHERE key = ?"
	giveTryBack     = "UPDATE rate_limits SET used_until = used_until - ? WHERE key = ? AND used_until > ?"
	sweepRateLimits = "DELETE FROM rate_limits WHERE used_until <= ?"
)

var _ ratelimit.Counters = (*RateLimits)(nil)

// errUsedUp rolls the transaction back when one of several limits is exhausted.
var errUsedUp = errors.New("a limit is used up")

// RateLimits implements ratelimit.Counters in the database.
type RateLimits struct{ store *Store }

// RateLimits returns the counters of this database.
func (s *Store) RateLimits() *RateLimits { return &RateLimits{s} }

// Take implements ratelimit.Counters. Each try is one statement, which locks its row.
func (l *RateLimits) Take(ctx context.Context, now time.Time, tries ...ratelimit.Try) (time.Duration, error) {
	wait, ahead, err := l.takeAll(ctx, now, tries)
	if err == nil && ahead {
		if err = l.capAll(ctx, now, tries); err == nil {
			wait, _, err = l.takeAll(ctx, now, tries)
		}
	}
	return wait, err
}

// takeAll is Take, but reports counters that are further ahead than a limit that was used up now.
func (l *RateLimits) takeAll(ctx context.Context, now time.Time, tries []ratelimit.Try) (wait time.Duration, ahead bool, err error) {
	err = l.store.write(ctx, func(c conn) error {
		wait, ahead = 0, false
		for _, try := range inOrder(tries) {
			more, err := c.take(ctx, now, try)
			if err != nil {
				return err
			}
			wait, ahead = max(wait, more), ahead || more > try.Step()
		}
		if wait > 0 {
			return callersError{errUsedUp}
		}
		return nil
	})
	if errors.Is(err, errUsedUp) {
		return wait, ahead, nil
	}
	return 0, false, err
}

// capAll sets counters that are further ahead than a limit that was used up now back to that: only a
// wrong clock, or a limit that was longer then, can have moved them so far.
func (l *RateLimits) capAll(ctx context.Context, now time.Time, tries []ratelimit.Try) error {
	return l.store.write(ctx, func(c conn) error {
		for _, try := range inOrder(tries) {
			usedUp := now.UnixMicro() + try.Step().Microseconds()*int64(try.Most)
			if _, err := c.exec(ctx, capUsed, usedUp, try.Key, usedUp); err != nil {
				return err
			}
		}
		return nil
	})
}

// inOrder sorts tries by key: transactions that lock rows in the same order can't deadlock.
func inOrder(tries []ratelimit.Try) []ratelimit.Try {
	return slices.SortedFunc(slices.Values(tries), func(a, b ratelimit.Try) int { return cmp.Compare(a.Key, b.Key) })
}

// take counts one try, or returns the time until one is available.
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

// GiveBack implements ratelimit.Counters.
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

// Sweep implements ratelimit.Counters.
func (l *RateLimits) Sweep(ctx context.Context, now time.Time) error {
	return l.store.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, sweepRateLimits, now.UnixMicro())
		return err
	})
}
