package load

import (
	"slices"
	"strconv"

	"github.com/prometheus/procfs"
)

// CPUSeconds returns the user and system time of a process. It works on Linux.
func CPUSeconds(pid int) (float64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := p.Stat()
	return stat.CPUTime(), err
}

// MemoryMiB returns a process's resident memory. It works on Linux.
func MemoryMiB(pid int) (float64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	status, err := p.NewStatus()
	return float64(status.VmRSS) / (1 << 20), err
}

// Processes are the process ids of a server with several processes. Their children are
// included, even those that have ended.
type Processes []string

// ticks is the kernel's unit of the times of ended children, in ticks per second.
const ticks = 100

// CPUSeconds returns the user and system time of the processes and their children. It works
// on Linux.
func (p Processes) CPUSeconds() (total float64, err error) {
	all, err := procfs.AllProcs()
	for _, process := range all {
		stat, err := process.Stat()
		if err != nil {
			continue // it has just ended
		}
		if slices.Contains(p, strconv.Itoa(stat.PID)) || slices.Contains(p, strconv.Itoa(stat.PPID)) {
			total += stat.CPUTime() + float64(stat.CUTime+stat.CSTime)/ticks
		}
	}
	return total, err
}
