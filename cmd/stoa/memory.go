package main

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
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
	// quietTime is how long a process allocates less than quietBytes before it is quiet.
	quietTime  = 500 * time.Millisecond
	quietBytes = 256 << 10
)

// tuneMemory trades memory for time within a limit until ctx is done, unless GOGC or GOMEMLIMIT
// is set.
func tuneMemory(ctx context.Context, roomy int64, limit Bytes, lookupEnv func(string) (string, bool)) {
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
	go returnMemory(ctx)
	debug.SetGCPercent(mostGrowth)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(int64(limit))
		paceCollector(roomy)
	}
}

// returnMemory returns to the system what requests have left behind, whenever the process becomes
// quiet, until ctx is done. The collector alone would keep it until the heap has grown again.
func returnMemory(ctx context.Context) {
	look := time.NewTicker(quietTime)
	defer look.Stop()
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	var p pause
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		metrics.Read(samples)
		if p.begins(samples[0].Value.Uint64(), samples[1].Value.Uint64()) {
			debug.FreeOSMemory()
			metrics.Read(samples)
			p.collections = samples[1].Value.Uint64()
		}
	}
}

// pause is what returnMemory knew when it last looked.
type pause struct {
	allocated   uint64
	collections uint64 // up to the last return of memory
}

// begins reports whether the process is quiet, and there may be memory to return: there have been
// collections since it was last done.
func (p *pause) begins(allocated, collections uint64) bool {
	quiet := allocated-p.allocated < quietBytes
	p.allocated = allocated
	return quiet && collections > p.collections
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
