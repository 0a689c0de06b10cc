package video

import "golang.org/x/sys/unix"

// limitMemory limits the data of a process that has just been started, in bytes.
func limitMemory(pid, most int) error {
	err := unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}, nil)
	if err == unix.ESRCH {
		return nil // it has ended
	}
	return err
}
