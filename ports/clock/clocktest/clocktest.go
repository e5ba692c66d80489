// Package clocktest is the conformance suite for implementations of ports/clock.
package clocktest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/clock"
)

// Run runs the conformance suite against a clock.
func Run(t *testing.T, c clock.Clock) {
	t.Run("returns UTC in microseconds", func(t *testing.T) {
		now := c.Now()
		assert.Equal(t, time.UTC, now.Location())
		assert.Equal(t, now.Truncate(time.Microsecond), now)
	})
	t.Run("never goes backwards in concurrent use", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { checkMonotonic(t, c) })
		}
		wg.Wait()
	})
}

func checkMonotonic(t *testing.T, c clock.Clock) {
	last := c.Now()
	for range 1000 {
		now := c.Now()
		if !assert.False(t, now.Before(last), "%s came after %s", now, last) {
			return
		}
		last = now
	}
}
