package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// mostGrowth lets a small heap grow to four times what is live before it is
	// collected: requests leave short-lived garbage, and collecting it less often is a
	// fifth of their cost.
	mostGrowth = 300
	// leastGrowth is enough for a great heap, most of which is caches: they hold no
	// pointers, so there is little to look through.
	leastGrowth = 40
	// roomyHeap is up to where a heap may grow more than leastGrowth, in bytes.
	roomyHeap = 144 << 20
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
	debug.SetGCPercent(mostGrowth)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softLimit)
		paceCollector()
	}
}

// paceCollector sets after each collection how far the heap may grow until the next.
func paceCollector() {
	type collected struct{ _ *byte } // with a pointer, so that it is an allocation of its own
	runtime.SetFinalizer(&collected{}, func(*collected) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		debug.SetGCPercent(growth(sample[0].Value.Uint64()))
		paceCollector()
	})
}

// growth returns by how many percent a heap with live bytes may grow.
func growth(live uint64) int {
	if live == 0 {
		return mostGrowth
	}
	room := (roomyHeap - int64(live)) * 100 / int64(live)
	return int(min(max(room, leastGrowth), mostGrowth))
}
