package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheProgramMakesRoomForThoseWhoDoNotHash(t *testing.T) {
	processors, limit := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(processors)
		debug.SetMemoryLimit(limit)
	})

	makeRoom()
	assert.Equal(t, 2*processors, runtime.GOMAXPROCS(0))
	assert.Equal(t, int64(baseMemory+processors*processorsShare), debug.SetMemoryLimit(-1))

	debug.SetMemoryLimit(123 << 20)
	makeRoom()
	assert.Equal(t, int64(123<<20), debug.SetMemoryLimit(-1), "the operator's word stays")
}
