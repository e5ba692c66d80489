// Package systemclock implements clock.Clock with the system time, for production.
package systemclock

import (
	"sync/atomic"
	"time"
)

// Clock is a clock.Clock that returns the real time. While the system time is earlier than the last
// result, for example because it was set back, it returns that result.
type Clock struct {
	systemTime func() time.Time
	last       atomic.Int64 // microseconds since 1970
}

// New returns the system clock.
func New() *Clock { return &Clock{systemTime: time.Now} }

// Now returns the current time in UTC, truncated to microseconds. It is safe for concurrent use.
func (c *Clock) Now() time.Time {
	now := c.systemTime().UnixMicro()
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
