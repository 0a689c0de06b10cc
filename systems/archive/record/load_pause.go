package record

import (
	"context"
	"runtime"
	"time"
)

// usage is the processor time that the process has used up to a time.
//
// A load in the background leaves processors to requests: after each block it pauses, so that
// the process has used no more than half of its processors since the block began. While all
// are busy, the process notices requests up to 10 ms late, each time it waits for one. A load
// that mostly waits for its store does not pause.
type usage struct {
	at   time.Time
	used time.Duration
}

func usageNow() usage { return usage{time.Now(), processorTime()} }

// pause waits for as long as the usage since u requires, or until ctx is done.
func (u usage) pause(ctx context.Context) {
	d := pauseAfter(processorTime()-u.used, time.Since(u.at), runtime.GOMAXPROCS(0))
	if d <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}

// maxPause is the maximum time of one pause.
const maxPause = time.Second

// pauseAfter returns how long to pause after the process has used some processor time while
// a block took some time.
func pauseAfter(used, took time.Duration, processors int) time.Duration {
	return max(0, min(2*used/time.Duration(processors)-took, took, maxPause))
}
