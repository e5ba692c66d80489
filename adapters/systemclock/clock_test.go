package systemclock

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/clock"
)

var _ clock.Clock = (*Clock)(nil)

func TestNowFollowsTheComputer(t *testing.T) {
	before := time.Now().Truncate(time.Microsecond)
	now := New().Now()
	assert.False(t, now.Before(before))
	assert.False(t, now.After(time.Now()))
}

func TestNowIsUTCToTheMicrosecond(t *testing.T) {
	c := at(time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("AEST", 10*3600)))
	assert.Equal(t, time.Date(2026, 3, 1, 2, 0, 0, 123456000, time.UTC), c.Now())
}

func TestNowNeverGoesBackwards(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := at(noon, noon.Add(-time.Hour), noon.Add(time.Second))
	assert.Equal(t, noon, c.Now())
	assert.Equal(t, noon, c.Now(), "the computer was set back")
	assert.Equal(t, noon.Add(time.Second), c.Now())
}

func TestNowForManyAtOnce(t *testing.T) {
	c := New()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			last := c.Now()
			for range 1000 {
				now := c.Now()
				assert.False(t, now.Before(last))
				last = now
			}
		})
	}
	all.Wait()
}

// at is a clock on a computer that shows the given times one after the other.
func at(times ...time.Time) *Clock {
	return &Clock{wall: func() time.Time {
		now := times[0]
		times = times[1:]
		return now
	}}
}
