package ratelimittest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func testLimitIsShared(t *testing.T, open Open) {
	here, there := open(t)
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Zero(t, take(t, there, noon, try("ada")), "the other server shares the counter")
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, here, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, there, noon, try("ada")))
}

func testTriesReturn(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")

	later := noon.Add(time.Minute)
	assert.Zero(t, take(t, c, later, try("ada")), "one try is available again")
	assert.Positive(t, take(t, c, later, try("ada")), "only one")
	useUp(t, c, noon.Add(time.Hour), "ada")
}

func testWaitIsExact(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")
	at := noon.Add(20 * time.Second)

	wait := take(t, c, at, try("ada"))

	assert.Equal(t, 40*time.Second, wait)
	assert.Positive(t, take(t, c, at.Add(wait-time.Microsecond), try("ada")))
	assert.Zero(t, take(t, c, at.Add(wait), try("ada")))
}

func testKeysAreIndependent(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")
	useUp(t, c, noon, "Ada")
	useUp(t, c, noon, "ada ")
}

func testAllOrNone(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "full")

	for range 2 * three.Most {
		assert.Equal(t, time.Minute, take(t, c, noon, try("a"), try("full"), try("z")))
	}

	useUp(t, c, noon, "a")
	useUp(t, c, noon, "z")
}

// A refused try is not counted, so retrying does not extend the wait.
func testRefusalCostsNothing(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")
	for range 10 {
		assert.Equal(t, time.Minute, take(t, c, noon, try("ada")))
	}
	assert.Zero(t, take(t, c, noon.Add(time.Minute), try("ada")))
}

func testGiveBack(t *testing.T, open Open) {
	here, there := open(t)
	useUp(t, here, noon, "ada")
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
	useUp(t, c, noon, "ada")
}

func testSweep(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "busy")
	require.Zero(t, take(t, c, noon.Add(-time.Hour), try("idle")))

	require.NoError(t, c.Sweep(t.Context(), noon))

	assert.Positive(t, take(t, c, noon, try("busy")))
	useUp(t, c, noon, "idle")
}

// Tries that were counted while a clock was two days ahead must not block a key for two days once the
// clock is right again.
func testClockWasAhead(t *testing.T, open Open) {
	here, there := open(t)
	ahead := noon.Add(48 * time.Hour)
	useUp(t, here, ahead, "full")
	require.Zero(t, take(t, here, ahead, try("one")))

	for _, key := range []string{"full", "one"} {
		wait := take(t, there, noon, try("untouched"), try(key))
		assert.Equal(t, three.Step(), wait, "as if %s had been used up just now", key)
		assert.Positive(t, take(t, here, noon.Add(wait-time.Microsecond), try(key)))
		assert.Zero(t, take(t, here, noon.Add(wait), try(key)))
		useUp(t, there, noon.Add(time.Hour), key)
	}
	useUp(t, here, noon, "untouched")
}

func testEndedContext(t *testing.T, open Open) {
	c, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := c.Take(ctx, noon, try("ada"))

	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.True(t, fault.Is(c.GiveBack(ctx, noon, try("ada")), fault.Unavailable))
	assert.True(t, fault.Is(c.Sweep(ctx, noon), fault.Unavailable))
	useUp(t, c, noon, "ada")
}
