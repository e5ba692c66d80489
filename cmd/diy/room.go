package main

import (
	"math"
	"runtime"
	"runtime/debug"
)

// Beyond what passwords take while they are hashed and wait for it, and the garbage of that.
const (
	baseMemory      = 100 << 20
	processorsShare = 45 << 20
)

// Percentages of garbage at which it is collected: Go's own, and ours.
const (
	gosGarbage  = 100
	mostGarbage = 200
)

// makeRoom is for the whole program, at its beginning. What hashing leaves behind, 19 MiB a time, is
// collected before it piles up, and not so early either that the memory goes back to the system only
// to be asked for again by the next password: that takes a sixth of the time that hashing has. An
// operator who knows better sets GOMEMLIMIT or GOGC.
func makeRoom() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(baseMemory + processorsShare*int64(runtime.GOMAXPROCS(0)))
	}
	if said := debug.SetGCPercent(mostGarbage); said != gosGarbage {
		debug.SetGCPercent(said)
	}
}
