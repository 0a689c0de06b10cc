package osfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// OpenDirect opens a file that exists for writing past the page cache. A write returns
// when the disk has it. What is written, its place in the file and its place in memory
// have to be multiples of what the file system takes at once, which Block mostly is. Not
// every file system can; some find out at the first write.
func OpenDirect(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|unix.O_DIRECT|unix.O_DSYNC, 0)
}

// GiveBack lets the page cache forget pages that are wholly within length bytes of a
// file from from on, unless they are not on disk yet. Whoever reads them reads the disk.
func GiveBack(fd uintptr, from, length int64) {
	// It is advice: that it is not taken changes nothing but time.
	_ = unix.Fadvise(int(fd), from, length, unix.FADV_DONTNEED)
}
