// Package ratelimit is the port to the counters behind the limits on how often something may be
// tried. All servers of one product share them. An adapter implements Counters and passes the
// suite in ratelimittest.
package ratelimit

import (
	"context"
	"time"
)

// Limit lets Most tries through at once. Each one that was used comes back by itself, one every
// Per/Most, so that after Per of rest all are there again. Most is at least 1, Per at least Most
// microseconds.
type Limit struct {
	Most int
	Per  time.Duration
}

// Step is the time in which one try comes back.
func (l Limit) Step() time.Duration { return l.Per / time.Duration(l.Most) }

// Try is one use of a limit by whoever the key stands for. A key belongs to one limit.
type Try struct {
	Key string
	Limit
}

// Counters counts tries. Errors are faults: Unavailable when the counters can't be reached or ctx
// has ended, and nothing was counted then. Instants come from the caller, so that all that hangs
// on the time moves together.
type Counters interface {
	// Take counts all of the tries, or none of them when one of their limits is used up. It
	// returns zero when they were counted, else how long it takes until all limits have one left.
	// However many callers and servers ask at once, no limit lets more through than it says.
	Take(ctx context.Context, now time.Time, tries ...Try) (time.Duration, error)
	// GiveBack undoes tries that Take counted and that turned out to be none. A limit never holds
	// more than Most.
	GiveBack(ctx context.Context, now time.Time, tries ...Try) error
	// Sweep forgets the keys whose tries have all come back.
	Sweep(ctx context.Context, now time.Time) error
}
