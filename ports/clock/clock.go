// Package clock is the port through which everything asks for the time, so that development
// and tests can move it.
package clock

import "time"

// Clock tells the time.
type Clock interface {
	// Now is the present instant in UTC, truncated to microseconds, which is as fine as every
	// database keeps it. It never goes backwards within a process.
	Now() time.Time
}
