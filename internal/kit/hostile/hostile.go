// Package hostile limits the cost of decoding hostile input, in fuzz tests.
package hostile

import (
	"syscall"
	"testing"
	"time"
)

const (
	// Size is the size, in bytes, of the largest input that may take Longest.
	Size    = 100 << 10
	Longest = 100 * time.Millisecond
)

// Cost returns the maximum cost of f: the smaller of its duration and of the CPU time of
// the whole process meanwhile, since the machine may be busy. If that is too long, f is run
// again, because other goroutines may have contributed.
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

// CPU returns the CPU time used by this process.
func CPU() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // only fails for an invalid argument
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Check fails a test if f takes too long with an input of up to Size bytes.
func Check(t testing.TB, input string, f func()) {
	t.Helper()
	if len(input) > Size {
		return
	}
	if took := Cost(f); took > Longest {
		t.Errorf("%d bytes, %.200q, take %v", len(input), input, took)
	}
}
