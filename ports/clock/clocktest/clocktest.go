// Package clocktest is the suite that every adapter of ports/clock passes.
package clocktest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/clock"
)

// Run proves that the clock keeps what the port promises.
func Run(t *testing.T, c clock.Clock) {
	t.Run("tells UTC, to the microsecond", func(t *testing.T) {
		now := c.Now()
		assert.Equal(t, time.UTC, now.Location())
		assert.Equal(t, now.Truncate(time.Microsecond), now)
	})
	t.Run("never goes backwards, for many at once", func(t *testing.T) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { neverBackwards(t, c) })
		}
		all.Wait()
	})
}

func neverBackwards(t *testing.T, c clock.Clock) {
	last := c.Now()
	for range 1000 {
		now := c.Now()
		if !assert.False(t, now.Before(last), "%s came after %s", now, last) {
			return
		}
		last = now
	}
}
