// Package clock is the port for the current time. Development and tests use clocks that can be moved.
package clock

import "time"

// Clock returns the current time.
type Clock interface {
	// Now returns the current time in UTC, truncated to microseconds, the precision of every
	// supported database. It never goes backwards within a process.
	Now() time.Time
}
