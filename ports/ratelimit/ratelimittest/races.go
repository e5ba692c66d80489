package ratelimittest

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/ratelimit"
)

const workers = 20

// Of many concurrent tries at two servers, exactly as many are counted as the limit allows.
func testConcurrentTries(t *testing.T, open Open) {
	here, there := open(t)
	passed := race(t, here, there, func(int) []ratelimit.Try { return []ratelimit.Try{try("ada")} })
	assert.EqualValues(t, three.Most, passed)
}

// Callers that pass the same keys in different orders must not wait for each other.
func testConcurrentKeysDoNotDeadlock(t *testing.T, open Open) {
	here, there := open(t)
	passed := race(t, here, there, func(i int) []ratelimit.Try {
		if i%4 < 2 {
			return []ratelimit.Try{try("ada"), try("address")}
		}
		return []ratelimit.Try{try("address"), try("ada")}
	})
	assert.EqualValues(t, three.Most, passed)
}

// race has workers call Take on both servers concurrently and returns how many tries were counted.
func race(t *testing.T, here, there ratelimit.Counters, tries func(worker int) []ratelimit.Try) int64 {
	t.Helper()
	var passed atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range workers {
		counters := []ratelimit.Counters{here, there}[i%2]
		all.Go(func() {
			<-start
			wait, err := counters.Take(t.Context(), noon, tries(i)...)
			if assert.NoError(t, err) && wait == 0 {
				passed.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	return passed.Load()
}
