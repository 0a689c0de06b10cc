package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// mostGrowth lets a small heap grow to four times the live heap before a collection:
	// requests produce short-lived garbage, and collecting it less often saves a fifth of
	// their cost.
	mostGrowth = 300
	// leastGrowth suffices for a large heap, which consists mostly of caches: these have no
	// pointers, so there is little to scan.
	leastGrowth = 40
	// servedHeap and engineHeap are the heap sizes, in bytes, up to which the heap of `stoa
	// serve` and of `stoa dynamodb` may grow by more than leastGrowth.
	servedHeap = 184 << 20
	engineHeap = 144 << 20
	// defaultMemoryLimit is the memory limit above which the collector works harder
	// instead. It is well above the needs of the caches and some thousand open sockets.
	defaultMemoryLimit Bytes = 512 << 20
	// leastMemoryLimit leaves room for requests beside the caches of the engine, the filter
	// of its keys and its recent writes, which take up to 170 MiB. With less, the collector
	// would run all the time.
	leastMemoryLimit Bytes = 256 << 20
)

// tuneMemory trades memory for time within a limit, unless GOGC or GOMEMLIMIT is set.
func tuneMemory(roomy int64, limit Bytes, lookupEnv func(string) (string, bool)) {
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
		debug.SetMemoryLimit(int64(limit))
		paceCollector(roomy)
	}
}

// paceCollector sets the growth of the heap after each collection.
func paceCollector(roomy int64) {
	type collected struct{ _ *byte } // the pointer makes it a separate allocation
	runtime.SetFinalizer(&collected{}, func(*collected) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		debug.SetGCPercent(growth(sample[0].Value.Uint64(), roomy))
		paceCollector(roomy)
	})
}

// growth returns the percentage by which a heap with live bytes may grow.
func growth(live uint64, roomy int64) int {
	if live == 0 {
		return mostGrowth
	}
	room := (roomy - int64(live)) * 100 / int64(live)
	return int(min(max(room, leastGrowth), mostGrowth))
}
