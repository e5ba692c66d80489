package clock_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/clock"
)

func TestBackoff_DoublesUpToTheMaximum(t *testing.T) {
	b := clock.Backoff{First: 15 * time.Second, Max: time.Minute}
	for failures, want := range map[int]time.Duration{
		0: 15 * time.Second, 1: 15 * time.Second, 2: 30 * time.Second, 3: time.Minute, 4: time.Minute, math.MaxInt: time.Minute,
	} {
		assert.Equal(t, want, b.Delay(failures), failures)
	}
}
