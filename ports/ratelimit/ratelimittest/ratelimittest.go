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
type Open func(t *testing.T) (serverA, serverB ratelimit.Counters)

// Run runs the conformance suite. Every test opens new counters.
func Run(t *testing.T, open Open) {
	for name, test := range map[string]func(*testing.T, Open){
		"servers share a limit":                                               testLimitIsShared,
		"each try becomes available again after a step":                       testTriesBecomeAvailable,
		"Take succeeds exactly after the returned wait":                       testWaitIsExact,
		"keys that differ in case or spaces are independent":                  testKeysAreIndependent,
		"one exhausted limit prevents counting any try":                       testAllOrNone,
		"a refused try does not extend the wait":                              testRefusalKeepsWait,
		"GiveBack makes tries available":                                      testGiveBack,
		"GiveBack never exceeds the limit":                                    testGiveBackIsCapped,
		"concurrent tries never exceed the limit":                             testConcurrentTries,
		"concurrent keys do not deadlock":                                     testConcurrentKeysDoNotDeadlock,
		"Sweep keeps exhausted counters":                                      testSweep,
		"a clock that was ahead blocks a key for one step":                    testClockWasAhead,
		"a call with an ended context returns Unavailable and counts nothing": testEndedContext,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// limit allows three tries, of which one becomes available again every minute.
var limit = ratelimit.Limit{Burst: 3, Period: 3 * time.Minute}

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
	serverA, serverB := open(t)
	assert.Zero(t, take(t, serverA, noon, try("ada")))
	assert.Zero(t, take(t, serverB, noon, try("ada")), "the other server shares the counter")
	assert.Zero(t, take(t, serverA, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, serverA, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, serverB, noon, try("ada")))
}

func testTriesBecomeAvailable(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "ada")

	later := noon.Add(time.Minute)
	assert.Zero(t, take(t, c, later, try("ada")), "one try is available again")
	assert.Positive(t, take(t, c, later, try("ada")), "only one try is available again")
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
	exhaust(t, c, noon, "exhausted")

	for range 2 * limit.Burst {
		assert.Equal(t, time.Minute, take(t, c, noon, try("a"), try("exhausted"), try("z")))
	}

	exhaust(t, c, noon, "a")
	exhaust(t, c, noon, "z")
}

// testRefusalKeepsWait checks that a refused try is not counted and therefore does not extend the wait.
func testRefusalKeepsWait(t *testing.T, open Open) {
	c, _ := open(t)
	exhaust(t, c, noon, "ada")
	for range 10 {
		assert.Equal(t, time.Minute, take(t, c, noon, try("ada")))
	}
	assert.Zero(t, take(t, c, noon.Add(time.Minute), try("ada")))
}

func testGiveBack(t *testing.T, open Open) {
	serverA, serverB := open(t)
	exhaust(t, serverA, noon, "ada")
	require.NoError(t, serverB.GiveBack(t.Context(), noon, try("ada"), try("unknown")))
	assert.Zero(t, take(t, serverA, noon, try("ada")))
	assert.Positive(t, take(t, serverA, noon, try("ada")))
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

// testClockWasAhead counts tries while a clock is two days ahead. It checks that these tries do not block the key for
// two days after the clock has been corrected.
func testClockWasAhead(t *testing.T, open Open) {
	serverA, serverB := open(t)
	twoDaysAhead := noon.Add(48 * time.Hour)
	exhaust(t, serverA, twoDaysAhead, "exhausted")
	require.Zero(t, take(t, serverA, twoDaysAhead, try("used once")))

	for _, key := range []string{"exhausted", "used once"} {
		wait := take(t, serverB, noon, try("untouched"), try(key))
		assert.Equal(t, limit.Step(), wait, "%s counts as exhausted now", key)
		assert.Positive(t, take(t, serverA, noon.Add(wait-time.Microsecond), try(key)))
		assert.Zero(t, take(t, serverA, noon.Add(wait), try(key)))
		exhaust(t, serverB, noon.Add(time.Hour), key)
	}
	exhaust(t, serverA, noon, "untouched")
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
	serverA, serverB := open(t)
	count := takeConcurrently(t, serverA, serverB, func(int) []ratelimit.Try { return []ratelimit.Try{try("ada")} })
	assert.EqualValues(t, limit.Burst, count)
}

// testConcurrentKeysDoNotDeadlock checks that concurrent callers do not deadlock when they pass the same keys in
// different orders.
func testConcurrentKeysDoNotDeadlock(t *testing.T, open Open) {
	serverA, serverB := open(t)
	count := takeConcurrently(t, serverA, serverB, func(i int) []ratelimit.Try {
		if i%4 < 2 {
			return []ratelimit.Try{try("ada"), try("address")}
		}
		return []ratelimit.Try{try("address"), try("ada")}
	})
	assert.EqualValues(t, limit.Burst, count)
}

// takeConcurrently calls Take concurrently on both servers and returns the number of calls that were counted.
func takeConcurrently(t *testing.T, serverA, serverB ratelimit.Counters, tries func(worker int) []ratelimit.Try) int64 {
	t.Helper()
	var count atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range workers {
		counters := []ratelimit.Counters{serverA, serverB}[i%2]
		wg.Go(func() {
			<-start
			wait, err := counters.Take(t.Context(), noon, tries(i)...)
			if assert.NoError(t, err) && wait == 0 {
				count.Add(1)
			}
		})
	}
	close(start)
	wg.Wait()
	return count.Load()
}
