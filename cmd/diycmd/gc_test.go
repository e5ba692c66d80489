package diycmd

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheProgramMakesRoomForHashing(t *testing.T) {
	leaveAsItIs(t)
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(defaultGOGC)

	tuneGC()
	assert.Equal(t, int64(baseMemory+runtime.GOMAXPROCS(0)*memoryPerCPU), debug.SetMemoryLimit(-1))
	assert.Equal(t, targetGOGC, debug.SetGCPercent(targetGOGC))
}

func TestTheOperatorsWordOnMemoryStays(t *testing.T) {
	leaveAsItIs(t)
	debug.SetMemoryLimit(123 << 20)
	debug.SetGCPercent(45)

	tuneGC()
	assert.Equal(t, int64(123<<20), debug.SetMemoryLimit(-1))
	assert.Equal(t, 45, debug.SetGCPercent(45))
}

// leaveAsItIs puts back what a test changes.
func leaveAsItIs(t *testing.T) {
	t.Helper()
	limit, garbage := debug.SetMemoryLimit(-1), debug.SetGCPercent(defaultGOGC)
	debug.SetGCPercent(garbage)
	t.Cleanup(func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(garbage)
	})
}
