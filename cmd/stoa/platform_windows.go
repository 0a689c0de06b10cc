package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// copySignals is empty: Windows has no signals of a user's own. `stoa export` reaches a server
// through its control socket.
var copySignals []os.Signal

// diskSpace returns the free and the total bytes of the disk that a directory is on.
func diskSpace(dir string) (free, total int64, err error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	var available, size uint64
	err = windows.GetDiskFreeSpaceEx(path, &available, &size, nil)
	return int64(available), int64(size), err
}
