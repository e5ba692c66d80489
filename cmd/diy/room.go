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

// makeRoom is for the whole program, at its beginning. Hashing passwords keeps all processors busy
// for as long as somebody registers or signs in, and Go takes one away from it every ten milliseconds
// only: everybody else gets as many threads again, among which the system shares the processors much
// faster. And what hashing leaves behind, 19 MiB a time, is collected before it piles up; an operator
// who knows better sets GOMEMLIMIT.
func makeRoom() {
	processors := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(2 * processors)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(baseMemory + processorsShare*int64(processors))
	}
}
