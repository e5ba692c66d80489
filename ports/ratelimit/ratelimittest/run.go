// Package ratelimittest is the conformance suite for implementations of ratelimit.Counters. A test of
// the adapter calls Run with a function that opens new counters.
package ratelimittest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/ratelimit"
)

// Open returns two servers' connections to the same empty counters.
type Open func(t *testing.T) (here, there ratelimit.Counters)

// Run runs the conformance suite. Every test opens new counters.
func Run(t *testing.T, open Open) {
	for name, test := range map[string]func(*testing.T, Open){
		"limit is shared by servers":          testLimitIsShared,
		"tries become available again":        testTriesReturn,
		"wait is exact":                       testWaitIsExact,
		"keys are independent":                testKeysAreIndependent,
		"all or none":                         testAllOrNone,
		"refusal does not extend the wait":    testRefusalCostsNothing,
		"given back tries are available":      testGiveBack,
		"giving back never exceeds the limit": testGiveBackIsCapped,
		"concurrent tries":                    testConcurrentTries,
		"concurrent keys do not deadlock":     testConcurrentKeysDoNotDeadlock,
		"sweep keeps exhausted counters":      testSweep,
		"clock that was ahead":                testClockWasAhead,
		"ended context":                       testEndedContext,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// three allows three tries, of which one becomes available again every minute.
var three = ratelimit.Limit{Most: 3, Per: 3 * time.Minute}

func try(key string) ratelimit.Try { return ratelimit.Try{Key: key, Limit: three} }

// take returns the wait, which is zero when the tries were counted.
func take(t *testing.T, c ratelimit.Counters, now time.Time, tries ...ratelimit.Try) time.Duration {
	t.Helper()
	wait, err := c.Take(t.Context(), now, tries...)
	require.NoError(t, err)
	require.GreaterOrEqual(t, wait, time.Duration(0))
	return wait
}

// useUp exhausts the limit of the key, which must be fully available.
func useUp(t *testing.T, c ratelimit.Counters, now time.Time, key string) {
	t.Helper()
	for range three.Most {
		require.Zero(t, take(t, c, now, try(key)))
	}
	require.Positive(t, take(t, c, now, try(key)))
}
