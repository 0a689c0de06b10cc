//go:build unix

package record

import (
	"syscall"
	"time"
)

// processorTime returns the processor time that the process has used, or 0 if it is unknown,
// and there are no pauses.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
