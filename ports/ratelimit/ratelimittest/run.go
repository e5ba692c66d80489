package ratelimittest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/ratelimit"
)

// Open makes empty counters and returns two ways to them, as two servers have.
type Open func(t *testing.T) (here, there ratelimit.Counters)

// Run proves that the counters keep the port's promises.
func Run(t *testing.T, open Open) {
	for name, test := range map[string]func(*testing.T, Open){
		"no more than the limit":       noMoreThanTheLimit,
		"tries come back":              triesComeBack,
		"the wait is long enough":      waitIsLongEnough,
		"keys don't touch each other":  keysApart,
		"all or none":                  allOrNone,
		"a refusal costs nothing":      refusalCostsNothing,
		"what is given back is there":  givenBack,
		"nobody gets more than all":    neverMoreThanAll,
		"a crowd gets what there is":   crowd,
		"crowds with crossed keys":     crossedKeys,
		"sweeping forgets nothing due": sweeping,
		"an ended context":             endedContext,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// three lets three tries through, one every minute.
var three = ratelimit.Limit{Most: 3, Per: 3 * time.Minute}

func try(key string) ratelimit.Try { return ratelimit.Try{Key: key, Limit: three} }

// take returns how long to wait, zero when the tries were counted.
func take(t *testing.T, c ratelimit.Counters, now time.Time, tries ...ratelimit.Try) time.Duration {
	t.Helper()
	wait, err := c.Take(t.Context(), now, tries...)
	require.NoError(t, err)
	require.GreaterOrEqual(t, wait, time.Duration(0))
	return wait
}

// useUp takes all there is.
func useUp(t *testing.T, c ratelimit.Counters, now time.Time, key string) {
	t.Helper()
	for range three.Most {
		require.Zero(t, take(t, c, now, try(key)))
	}
	require.Positive(t, take(t, c, now, try(key)))
}
