//go:build unix

package video

import "syscall"

// lowerPriority lets other processes go before one, as far as the system permits.
func lowerPriority(pid int) { syscall.Setpriority(syscall.PRIO_PROCESS, pid, 10) }
