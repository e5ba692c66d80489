package clock

import "time"

// Backoff determines how long to wait after failures: First after the first one, twice as long after each further
// one, and Max at most.
type Backoff struct{ First, Max time.Duration }

// After returns the delay after a number of failures in a row, at least one.
func (b Backoff) After(failures int) time.Duration {
	delay := b.First
	for range failures - 1 {
		if delay >= b.Max {
			break
		}
		delay *= 2
	}
	return min(delay, b.Max)
}
