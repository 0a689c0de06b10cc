package engine

import (
	"context"
	"runtime/debug"
	"time"
)

// A scan of all items in the background runs at low priority: after every scanStep items,
// it rests for restAfter times as long as reading them took.
const (
	scanStep  = 4096
	restAfter = 4
)

// freeFrom is the number of bytes a scan must read before freeScanned releases memory.
const freeFrom = 16 << 20

// rest waits for d or until the engine is closed.
func (e *Engine) rest(d time.Duration) error {
	ctx, cancel := context.WithTimeout(e.closed, d)
	defer cancel()
	<-ctx.Done()
	if e.closed.Err() != nil {
		return errAbandoned
	}
	return nil
}

// freeScanned returns unused memory to the operating system after a scan that has read the
// given number of bytes. Pebble allocates memory for each block it reads, and blocks evicted
// from its cache become garbage. An idle server would keep that: its heap is collected only
// after it has grown to several times the size in use.
func freeScanned(bytes int64) {
	if bytes >= freeFrom {
		debug.FreeOSMemory()
	}
}
