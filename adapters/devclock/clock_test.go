package devclock_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock/clocktest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestClock_Conformance(t *testing.T) {
	clock, err := devclock.Open("", nil)
	require.NoError(t, err)
	clocktest.Run(t, clock)
}

func TestNow_FollowsTheRealTime(t *testing.T) {
	clock, err := devclock.Open("", nil)
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), clock.Now(), time.Minute)
}

func TestAdvance_MovesTheClock(t *testing.T) {
	clock := openAtNoon(t, "")

	now, err := clock.Advance(8 * 24 * time.Hour)

	require.NoError(t, err)
	assert.Equal(t, noon.AddDate(0, 0, 8), now)
	assert.Equal(t, now, clock.Now())
}

func TestAdvance_RejectsInvalidSteps(t *testing.T) {
	for name, step := range map[string]time.Duration{
		"backwards": -time.Second, "zero": 0, "overflow": 1<<63 - 1, "two centuries": 200 * 365 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			clock := openAtNoon(t, "")
			_, err := clock.Advance(step)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, noon, clock.Now())
		})
	}
}

func TestAdvance_RejectsTotalOffsetAboveLimit(t *testing.T) {
	clock := openAtNoon(t, "")
	_, err := clock.Advance(60 * 365 * 24 * time.Hour)
	require.NoError(t, err)

	_, err = clock.Advance(60 * 365 * 24 * time.Hour)

	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
}

func TestNow_NeverGoesBackwards(t *testing.T) {
	systemTime := noon
	clock, err := devclock.Open("", func() time.Time { return systemTime })
	require.NoError(t, err)
	require.Equal(t, noon, clock.Now())

	systemTime = noon.Add(-time.Hour)
	assert.Equal(t, noon, clock.Now())

	systemTime = noon.Add(time.Second)
	assert.Equal(t, noon.Add(time.Second), clock.Now())
}

func TestAdvance_CallsObserversWithNewTime(t *testing.T) {
	clock := openAtNoon(t, "")
	var observedTimes []time.Time
	clock.Observe(func(now time.Time) { observedTimes = append(observedTimes, now) })
	clock.Observe(func(time.Time) { observedTimes = append(observedTimes, clock.Now()) })

	_, err := clock.Advance(time.Hour)

	require.NoError(t, err)
	assert.Equal(t, []time.Time{noon.Add(time.Hour), noon.Add(time.Hour)}, observedTimes)
}

// openAtNoon opens a clock for which the system time is always noon.
func openAtNoon(t *testing.T, path string) *devclock.Clock {
	t.Helper()
	clock, err := devclock.Open(path, func() time.Time { return noon })
	require.NoError(t, err)
	return clock
}

func TestOpen_RestoresOffsetFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	for range 3 {
		_, err := openAtNoon(t, path).Advance(24 * time.Hour)
		require.NoError(t, err)
	}

	assert.Equal(t, noon.AddDate(0, 0, 3), openAtNoon(t, path).Now())
}

func TestAdvance_LeavesNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	_, err := openAtNoon(t, filepath.Join(dir, "clock")).Advance(time.Hour)
	require.NoError(t, err)

	entries, err := os.ReadDir(dir)

	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, "clock", entries[0].Name())
}

func TestAdvance_FailsWithUnavailableIfOffsetCannotBeStored(t *testing.T) {
	clock := openAtNoon(t, filepath.Join(t.TempDir(), "missing", "clock"))

	_, err := clock.Advance(time.Hour)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Equal(t, noon, clock.Now())
}

func TestOpen_RejectsFileWithInvalidOffset(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "not a duration": "soon\n", "negative": "-1h\n", "too large": "2000000h\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "clock")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

			_, err := devclock.Open(path, nil)

			assert.ErrorContains(t, err, path)
		})
	}
}
