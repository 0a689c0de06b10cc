package load

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// ticks is the kernel's unit of CPU times, in ticks per second.
const ticks = 100

// CPUSeconds returns the user and system time of a process. It works on Linux.
func CPUSeconds(pid int) (float64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name, in parentheses, may contain spaces; parse the times after it.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticks, nil
}

// MemoryMiB returns a process's resident memory. It works on Linux.
func MemoryMiB(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("process %d reports no VmRSS", pid)
}

// Processes are the process ids of a server with several processes. Their children are
// included, even those that have ended.
type Processes []string

// CPUSeconds returns the user and system time of the processes and their children. It works
// on Linux.
func (p Processes) CPUSeconds() (float64, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // not a process, or one that has just ended
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if !slices.Contains(p, e.Name()) && !slices.Contains(p, fields[1]) {
			continue
		}
		for _, field := range fields[11:15] { // its own, and those of ended children
			n, _ := strconv.ParseFloat(field, 64)
			total += n / ticks
		}
	}
	return total, nil
}
