// Package systemclock is the clock of production: the computer's own time.
package systemclock

import (
	"sync/atomic"
	"time"
)

// Clock is a clock.Clock that follows the computer's time. Where that is set back, it stands still
// until it has been caught up with, rather than go backwards.
type Clock struct {
	wall func() time.Time
	last atomic.Int64 // microseconds since 1970
}

// New returns the computer's clock.
func New() *Clock { return &Clock{wall: time.Now} }

// Now is the present instant in UTC, to the microsecond. It may be called from everywhere at once.
func (c *Clock) Now() time.Time {
	now := c.wall().UnixMicro()
	for {
		last := c.last.Load()
		if now <= last {
			return time.UnixMicro(last).UTC()
		}
		if c.last.CompareAndSwap(last, now) {
			return time.UnixMicro(now).UTC()
		}
	}
}
