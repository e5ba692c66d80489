package diycmd

import (
	"math"
	"runtime"
	"runtime/debug"
)

const (
	baseMemory   = 100 << 20
	memoryPerCPU = 45 << 20 // hashing a password takes 19 MiB, plus its garbage
	defaultGOGC  = 100      // Go's default
	targetGOGC   = 200
)

// tuneGC sets GOGC and GOMEMLIMIT unless the operator did; call it once at startup. Password hashing
// leaves 19 MiB of garbage at a time. The memory limit collects it before it piles up, and the higher
// GOGC keeps memory from being returned to the system between two hashes, which would take a sixth
// of the time of a hash.
func tuneGC() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(baseMemory + memoryPerCPU*int64(runtime.GOMAXPROCS(0)))
	}
	if previous := debug.SetGCPercent(targetGOGC); previous != defaultGOGC {
		debug.SetGCPercent(previous)
	}
}
