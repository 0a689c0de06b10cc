// Package hostile holds decoders to what strangers may make them cost, in fuzz tests.
package hostile

import (
	"syscall"
	"testing"
	"time"
)

const (
	// Size is how large an input is that may take Longest, in bytes.
	Size    = 100 << 10
	Longest = 100 * time.Millisecond
)

// Cost returns how long f takes at most: as long as it lasts, or as processors work for the
// whole process meanwhile, whichever is less on a busy machine. If that is too long f is run
// again, as others may have worked beside it.
func Cost(f func()) time.Duration {
	least := time.Hour
	for range 10 {
		begun, used := time.Now(), CPU()
		f()
		if least = min(least, time.Since(begun), CPU()-used); least <= Longest {
			break
		}
	}
	return least
}

// CPU is how long processors have worked for this process.
func CPU() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // only for a wrong argument
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Check fails a test when f takes too long with an input of up to Size bytes.
func Check(t testing.TB, input string, f func()) {
	t.Helper()
	if len(input) > Size {
		return
	}
	if took := Cost(f); took > Longest {
		t.Errorf("%d bytes, %.200q, take %v", len(input), input, took)
	}
}
