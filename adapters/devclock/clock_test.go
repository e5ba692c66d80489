package devclock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock/clocktest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestClockKeepsThePort(t *testing.T) {
	clock, err := devclock.Open("", nil)
	require.NoError(t, err)
	clocktest.Run(t, clock)
}

func TestNowFollowsTheComputer(t *testing.T) {
	clock, err := devclock.Open("", nil)
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), clock.Now(), time.Minute)
}

func TestAdvanceMovesTheClock(t *testing.T) {
	clock := opened(t, "")

	now, err := clock.Advance(8 * 24 * time.Hour)

	require.NoError(t, err)
	assert.Equal(t, noon.AddDate(0, 0, 8), now)
	assert.Equal(t, now, clock.Now())
}

func TestAdvanceOnlyForwardsAndNotTooFar(t *testing.T) {
	for name, step := range map[string]time.Duration{
		"backwards": -time.Second, "nowhere": 0, "over the edge": 1<<63 - 1, "two centuries": 200 * 365 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			clock := opened(t, "")
			_, err := clock.Advance(step)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, noon, clock.Now())
		})
	}
}

func TestStepsTogetherDoNotGoTooFarEither(t *testing.T) {
	clock := opened(t, "")
	_, err := clock.Advance(60 * 365 * 24 * time.Hour)
	require.NoError(t, err)

	_, err = clock.Advance(60 * 365 * 24 * time.Hour)

	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
}

func TestNowStandsStillWhenTheComputerIsSetBack(t *testing.T) {
	wall := noon
	clock, err := devclock.Open("", func() time.Time { return wall })
	require.NoError(t, err)
	require.Equal(t, noon, clock.Now())

	wall = noon.Add(-time.Hour)
	assert.Equal(t, noon, clock.Now())

	wall = noon.Add(time.Second)
	assert.Equal(t, noon.Add(time.Second), clock.Now())
}

func TestObserversAreToldBeforeAdvanceReturns(t *testing.T) {
	clock := opened(t, "")
	var told []time.Time
	clock.Observe(func(now time.Time) { told = append(told, now) })
	clock.Observe(func(time.Time) { told = append(told, clock.Now()) })

	_, err := clock.Advance(time.Hour)

	require.NoError(t, err)
	assert.Equal(t, []time.Time{noon.Add(time.Hour), noon.Add(time.Hour)}, told)
}

func opened(t *testing.T, path string) *devclock.Clock {
	t.Helper()
	clock, err := devclock.Open(path, func() time.Time { return noon })
	require.NoError(t, err)
	return clock
}
