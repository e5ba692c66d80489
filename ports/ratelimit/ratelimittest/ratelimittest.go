// Package ratelimittest is the conformance suite for implementations of ratelimit.Counters. A test of
// the adapter calls Run with a function that opens new counters.
package ratelimittest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// Open returns two servers' connections to the same empty counters.
type Open func(t *testing.T) (here, there ratelimit.Counters)

// Run runs the conformance suite. Every test opens new counters.
func Run(t *testing.T, open Open) {
	for name, test := range map[string]func(*testing.T, Open){
		"limit is shared by servers":       testLimitIsShared,
		"tries become available again":     testTriesBecomeAvailable,
		"wait is exact":                    testWaitIsExact,
		"keys are independent":             testKeysAreIndependent,
		"all or none":                      testAllOrNone,
		"refusal does not extend the wait": testRefusalKeepsWait,
		"GiveBack makes tries available":   testGiveBack,
		"GiveBack never exceeds the limit": testGiveBackIsCapped,
		"concurrent tries":                 testConcurrentTries,
		"concurrent keys do not deadlock":  testConcurrentKeysDoNotDeadlock,
		"sweep keeps exhausted counters":   testSweep,
		"clock that was ahead":             testClockWasAhead,
		"ended context":                    testEndedContext,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// limit allows three tries, of which one becomes available again every minute.
var limit = ratelimit.Limit{Burst: 3, Per: 3 * time.Minute}

func try(key string) ratelimit.Try { return ratelimit.Try{Key: key, Limit: limit} }

// take counts the tries and returns zero, or the time to wait.
func take(t *testing.T, c ratelimit.Counters, now time.Time, tries ...ratelimit.Try) time.Duration {
	t.Helper()
	wait, err := c.Take(t.Context(), now, tries...)
	require.NoError(t, err)
	require.GreaterOrEqual(t, wait, time.Duration(0))
	return wait
}

// exhaust exhausts the limit of the key, which must be fully available.
func exhaust(t *testing.T, c ratelimit.Counters, now time.Time, key string) {
	t.Helper()
	for range limit.Burst {
		require.Zero(t, take(t, c, now, try(key)))
	}
	require.Positive(t, take(t, c, now, try(key)))
}

func testLimitIsShared(t *testing.T, open Open) {
	here, there := open(t)
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Zero(t, take(t, there, noon, try("ada")), "the other server shares the counter")
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, here, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, there, noon, try("ada")))
}

func testTriesBecomeAvailable(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "ada")

	later := noon.Add(time.Minute)
	assert.Zero(t, take(t, c, later, try("ada")), "one try is available again")
	assert.Positive(t, take(t, c, later, try("ada")), "only one")
	exhaust(t, c, noon.Add(time.Hour), "ada")
}

func testWaitIsExact(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "ada")
	now := noon.Add(20 * time.Second)

	wait := take(t, c, now, try("ada"))

	assert.Equal(t, 40*time.Second, wait)
	assert.Positive(t, take(t, c, now.Add(wait-time.Microsecond), try("ada")))
	assert.Zero(t, take(t, c, now.Add(wait), try("ada")))
}

func testKeysAreIndependent(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "ada")
	exhaust(t, c, noon, "Ada")
	exhaust(t, c, noon, "ada ")
}

func testAllOrNone(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "full")

	for range 2 * limit.Burst {
		assert.Equal(t, time.Minute, take(t, c, noon, try("a"), try("full"), try("z")))
	}

	exhaust(t, c, noon, "a")
	exhaust(t, c, noon, "z")
}

// testRefusalKeepsWait checks that a refused try is not counted, so that retrying does not extend the wait.
func testRefusalKeepsWait(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "ada")
	for range 10 {
		assert.Equal(t, time.Minute, take(t, c, noon, try("ada")))
	}
	assert.Zero(t, take(t, c, noon.Add(time.Minute), try("ada")))
}

func testGiveBack(t *testing.T, open Open) {
	here, there := open(t)
	exhaust(t, here, noon, "ada")
	require.NoError(t, there.GiveBack(t.Context(), noon, try("ada"), try("unknown")))
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Positive(t, take(t, here, noon, try("ada")))
}

func testGiveBackIsCapped(t *testing.T, open Open) {
	c, _ := open(t)
	require.Zero(t, take(t, c, noon, try("ada")))
	for range 5 {
		require.NoError(t, c.GiveBack(t.Context(), noon, try("ada")))
	}
	require.NoError(t, c.GiveBack(t.Context(), noon.Add(time.Hour), try("ada")))
	exhaust(t, c, noon, "ada")
}

func testSweep(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "busy")
	require.Zero(t, take(t, c, noon.Add(-time.Hour), try("idle")))

	require.NoError(t, c.Sweep(t.Context(), noon))

	assert.Positive(t, take(t, c, noon, try("busy")))
	exhaust(t, c, noon, "idle")
}

// testClockWasAhead checks that tries that were counted while a clock was two days ahead do not block a key for two
// days once the clock is right again.
func testClockWasAhead(t *testing.T, open Open) {
	here, there := open(t)
	ahead := noon.Add(48 * time.Hour)
	exhaust(t, here, ahead, "full")
	require.Zero(t, take(t, here, ahead, try("one")))

	for _, key := range []string{"full", "one"} {
		wait := take(t, there, noon, try("untouched"), try(key))
		assert.Equal(t, limit.Step(), wait, "%s counts as exhausted now", key)
		assert.Positive(t, take(t, here, noon.Add(wait-time.Microsecond), try(key)))
		assert.Zero(t, take(t, here, noon.Add(wait), try(key)))
		exhaust(t, there, noon.Add(time.Hour), key)
	}
	exhaust(t, here, noon, "untouched")
}

func testEndedContext(t *testing.T, open Open) {
	c, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := c.Take(ctx, noon, try("ada"))

	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.True(t, fault.Is(c.GiveBack(ctx, noon, try("ada")), fault.Unavailable))
	assert.True(t, fault.Is(c.Sweep(ctx, noon), fault.Unavailable))
	exhaust(t, c, noon, "ada")
}

const workers = 20

// testConcurrentTries checks that two servers together count exactly as many concurrent tries as the limit allows.
func testConcurrentTries(t *testing.T, open Open) {
	here, there := open(t)
	counted := takeConcurrently(t, here, there, func(int) []ratelimit.Try { return []ratelimit.Try{try("ada")} })
	assert.EqualValues(t, limit.Burst, counted)
}

// testConcurrentKeysDoNotDeadlock checks that callers that pass the same keys in different orders do not wait for each
// other.
func testConcurrentKeysDoNotDeadlock(t *testing.T, open Open) {
	here, there := open(t)
	counted := takeConcurrently(t, here, there, func(i int) []ratelimit.Try {
		if i%4 < 2 {
			return []ratelimit.Try{try("ada"), try("address")}
		}
		return []ratelimit.Try{try("address"), try("ada")}
	})
	assert.EqualValues(t, limit.Burst, counted)
}

// takeConcurrently has workers call Take on both servers concurrently and returns how many tries were counted.
func takeConcurrently(t *testing.T, here, there ratelimit.Counters, tries func(worker int) []ratelimit.Try) int64 {
	t.Helper()
	var counted atomic.Int64
	var workerGroup sync.WaitGroup
	start := make(chan struct{})
	for i := range workers {
		counters := []ratelimit.Counters{here, there}[i%2]
		workerGroup.Go(func() {
			<-start
			wait, err := counters.Take(t.Context(), noon, tries(i)...)
			if assert.NoError(t, err) && wait == 0 {
				counted.Add(1)
			}
		})
	}
	close(start)
	workerGroup.Wait()
	return counted.Load()
}
