// Package ratelimit is the port for the counters of rate limits, which all servers of an installation
// share. An adapter implements Counters and passes the conformance suite in ratelimittest.
package ratelimit

import (
	"context"
	"time"
)

// Limit allows Burst tries in direct succession. One try becomes available again after each Step, so all Burst tries
// are available again after Period. Burst must be at least 1, and Period at least Burst microseconds.
type Limit struct {
	Burst  int
	Period time.Duration
}

// Step returns the time in which one try becomes available again.
func (l Limit) Step() time.Duration { return l.Period / time.Duration(l.Burst) }

// Try is one use of a limit. Key identifies the limited object, such as an IP address. A key must always
// be used with the same limit.
type Try struct {
	Key string
	Limit
}

// Counters counts tries. If the counters can't be reached or ctx has ended, a method returns the fault Unavailable,
// and nothing was counted. The caller passes the current time, so that limits follow the application's clock.
type Counters interface {
	// Take counts all tries, or none of them if one of their limits is exhausted. It returns zero if it counted the
	// tries, otherwise the time until every limit has a try available. The limits hold for any number of concurrent
	// callers and servers. A server whose clock is ahead can have used a counter at a time after now. Take treats such a
	// counter as exhausted at now, so the returned time is never longer than the longest Period.
	Take(ctx context.Context, now time.Time, tries ...Try) (time.Duration, error)
	// GiveBack makes tries that Take counted available again. A limit never has more than Burst tries.
	GiveBack(ctx context.Context, now time.Time, tries ...Try) error
	// Sweep deletes counters whose tries are all available.
	Sweep(ctx context.Context, now time.Time) error
}
