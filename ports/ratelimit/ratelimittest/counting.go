package ratelimittest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func noMoreThanTheLimit(t *testing.T, open Open) {
	here, there := open(t)
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Zero(t, take(t, there, noon, try("ada")), "both servers count together")
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, here, noon, try("ada")))
	assert.Equal(t, time.Minute, take(t, there, noon, try("ada")))
}

func triesComeBack(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")

	later := noon.Add(time.Minute)
	assert.Zero(t, take(t, c, later, try("ada")), "one has come back")
	assert.Positive(t, take(t, c, later, try("ada")), "and only one")
	useUp(t, c, noon.Add(time.Hour), "ada")
}

func waitIsLongEnough(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")
	at := noon.Add(20 * time.Second)

	wait := take(t, c, at, try("ada"))

	assert.Equal(t, 40*time.Second, wait)
	assert.Positive(t, take(t, c, at.Add(wait-time.Microsecond), try("ada")))
	assert.Zero(t, take(t, c, at.Add(wait), try("ada")))
}

func keysApart(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")
	useUp(t, c, noon, "Ada")
	useUp(t, c, noon, "ada ")
}

func allOrNone(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "full")

	for range 2 * three.Most {
		assert.Equal(t, time.Minute, take(t, c, noon, try("a"), try("full"), try("z")))
	}

	useUp(t, c, noon, "a")
	useUp(t, c, noon, "z")
}

// refusalCostsNothing: whoever keeps asking does not wait any longer for it.
func refusalCostsNothing(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "ada")
	for range 10 {
		assert.Equal(t, time.Minute, take(t, c, noon, try("ada")))
	}
	assert.Zero(t, take(t, c, noon.Add(time.Minute), try("ada")))
}

func givenBack(t *testing.T, open Open) {
	here, there := open(t)
	useUp(t, here, noon, "ada")
	require.NoError(t, there.GiveBack(t.Context(), noon, try("ada"), try("unknown")))
	assert.Zero(t, take(t, here, noon, try("ada")))
	assert.Positive(t, take(t, here, noon, try("ada")))
}

func neverMoreThanAll(t *testing.T, open Open) {
	c, _ := open(t)
	require.Zero(t, take(t, c, noon, try("ada")))
	for range 5 {
		require.NoError(t, c.GiveBack(t.Context(), noon, try("ada")))
	}
	require.NoError(t, c.GiveBack(t.Context(), noon.Add(time.Hour), try("ada")))
	useUp(t, c, noon, "ada")
}

func sweeping(t *testing.T, open Open) {
	c, _ := open(t)
	useUp(t, c, noon, "busy")
	require.Zero(t, take(t, c, noon.Add(-time.Hour), try("at rest")))

	require.NoError(t, c.Sweep(t.Context(), noon))

	assert.Positive(t, take(t, c, noon, try("busy")))
	useUp(t, c, noon, "at rest")
}

func endedContext(t *testing.T, open Open) {
	c, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := c.Take(ctx, noon, try("ada"))

	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.True(t, fault.Is(c.GiveBack(ctx, noon, try("ada")), fault.Unavailable))
	assert.True(t, fault.Is(c.Sweep(ctx, noon), fault.Unavailable))
	useUp(t, c, noon, "ada")
}
