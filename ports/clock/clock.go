// Package clock is the port for the current time. Development and tests use clocks that can be moved.
package clock

import "time"

// Clock returns the current time.
type Clock interface {
	// Now returns the current time in UTC, truncated to microseconds, the precision of every
	// supported database. It never goes backwards within a process.
	Now() time.Time
}

// Backoff computes the delay before the next attempt. The delay is First after the first failure, doubles
// with each further failure, and never exceeds Max.
type Backoff struct{ First, Max time.Duration }

// Delay returns the delay after a number of consecutive failures. It treats 0 as 1.
func (b Backoff) Delay(failures int) time.Duration {
	delay := b.First
	for range failures - 1 {
		if delay >= b.Max {
			break
		}
		delay *= 2
	}
	return min(delay, b.Max)
}
