package engine

import (
	"os"
	"syscall"
)

// openDirect opens a file that exists for writing past the page cache, each time until
// the disk has what was written. Not every file system can.
func openDirect(name string) (blockFile, error) {
	return os.OpenFile(name, os.O_WRONLY|syscall.O_DIRECT|syscall.O_DSYNC, 0)
}
