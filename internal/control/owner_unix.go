//go:build unix

package control

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the user whom a file belongs to.
func ownerOf(info fs.FileInfo) (user uint32, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return stat.Uid, true
}
