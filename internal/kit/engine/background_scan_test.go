package engine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A scan of many bytes must not leave its garbage to an idle server. A small one is not
// worth a collection.
func TestScanReleasesMemory(t *testing.T) {
	e := withTable(t)
	awaitKeys(t, e)
	collections := func(scan func()) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		scan()
		runtime.ReadMemStats(&after)
		return after.NumForcedGC - before.NumForcedGC
	}
	build := func() {
		if !e.buildKeys() {
			t.Fatal("building the filter failed")
		}
	}

	putMany(t, e, 0, 100)
	if n := collections(build); n != 0 {
		t.Errorf("a scan of 100 small items forced %d collections", n)
	}
	const size = 300 << 10
	for i := range freeFrom/size + 1 {
		put(t, e, item("pk", fmt.Sprint(i), "sk", "large", "text", strings.Repeat("x", size)))
	}
	if collections(build) == 0 {
		t.Error("building the filter from many bytes did not release memory")
	}
}
