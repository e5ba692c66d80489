package systemclock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/clock/clocktest"
)

var _ clock.Clock = (*Clock)(nil)

func TestClock_Conformance(t *testing.T) {
	clocktest.Run(t, New())
}

func TestNow_FollowsTheRealTime(t *testing.T) {
	before := time.Now().Truncate(time.Microsecond)
	now := New().Now()
	assert.False(t, now.Before(before))
	assert.False(t, now.After(time.Now()))
}

func TestNow_ReturnsUTCInMicroseconds(t *testing.T) {
	c := newClock(time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("AEST", 10*3600)))
	assert.Equal(t, time.Date(2026, 3, 1, 2, 0, 0, 123456000, time.UTC), c.Now())
}

func TestNow_NeverGoesBackwards(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := newClock(noon, noon.Add(-time.Hour), noon.Add(time.Second))
	assert.Equal(t, noon, c.Now())
	assert.Equal(t, noon, c.Now(), "the system time was set back")
	assert.Equal(t, noon.Add(time.Second), c.Now())
}

// newClock returns a Clock that reads the given times as the system time, one in each call of Now.
func newClock(times ...time.Time) *Clock {
	return &Clock{systemTime: func() time.Time {
		now := times[0]
		times = times[1:]
		return now
	}}
}
