package main

import (
	"math"
	"runtime/debug"
)

const (
	// collectAt lets the heap grow to four times what is live before it is
	// collected: requests leave short-lived garbage, and collecting it less often is
	// a fifth of their cost.
	collectAt = 300
	// softLimit is where the collector begins to work harder instead, in bytes: well
	// above what the caches and some thousand open sockets need.
	softLimit = 512 << 20
)

// tuneMemory trades memory for time within bounds, unless GOGC or GOMEMLIMIT say
// what the operator wants instead.
func tuneMemory(lookupEnv func(string) (string, bool)) {
	given := func(name string) bool {
		if lookupEnv == nil {
			return false
		}
		_, ok := lookupEnv(name)
		return ok
	}
	if given("GOGC") || given("GOMEMLIMIT") {
		return
	}
	debug.SetGCPercent(collectAt)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softLimit)
	}
}
