package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestStallsOfWrites(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	e := memory(t, WithClock(func() time.Time { return now }))
	storage := e.settings(vfs.NewMem()).EventListener
	want := func(when string, n int64, total time.Duration, health string) {
		t.Helper()
		got := ""
		if err := e.Health(); err != nil {
			got = err.Error()
		}
		if gotN, gotTotal := e.Stalls(); gotN != n || gotTotal != total || !strings.Contains(got, health) || (health == "") != (got == "") {
			t.Errorf("%s: %d stalls of %v, health %q", when, gotN, gotTotal, got)
		}
	}
	want("at first", 0, 0, "")
	storage.WriteStallBegin(pebble.WriteStallBeginInfo{Reason: "memtable count limit reached"})
	now = now.Add(900 * time.Millisecond)
	want("for a moment", 1, 900*time.Millisecond, "")
	now = now.Add(2100 * time.Millisecond)
	want("for long", 1, 3*time.Second, "writes have been stalled for 3s: memtable count limit reached")
	storage.WriteStallEnd()
	now = now.Add(time.Minute)
	want("afterwards", 1, 3*time.Second, "")
	storage.WriteStallBegin(pebble.WriteStallBeginInfo{Reason: "L0 file count limit exceeded"})
	now = now.Add(time.Second)
	want("again", 2, 4*time.Second, "L0 file count limit exceeded")
	storage.WriteStallEnd()
}
