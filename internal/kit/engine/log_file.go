package engine

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"stoa/internal/kit/engine/osfile"
)

// logFiles is a file system in which logs are written so that a sync takes little: past
// the page cache if direct is set and the file system below can, and over zeros. A sync
// of a file that has grown writes its new length and its place on disk too, and takes
// half as long again. So a log grows by logStep at a time, ahead of what is written, and
// most syncs find it as long as it was. Pebble uses logs again: only the first ones have
// to grow.
type logFiles struct {
	vfs.FS
	direct bool // files of FS are files of the operating system, with the same names
}

// logSuffix is what names of logs end with.
const logSuffix = ".log"

// logStep is by how much a log grows, in bytes.
const logStep = 256 << 10

// zeros are no record: what reads a log stops at them.
var zeros [logStep]byte

func (fs logFiles) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.Create(name, category)
	if err != nil || !strings.HasSuffix(name, logSuffix) {
		return f, err
	}
	if l := fs.directly(f, name); l != nil {
		return l, nil
	}
	return &logFile{File: f}, nil
}

// ReuseForWrite makes another log of one. It is long already.
func (fs logFiles) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.ReuseForWrite(old, name, category)
	if err != nil || !strings.HasSuffix(name, logSuffix) {
		return f, err
	}
	if l := fs.directly(f, name); l != nil {
		return l, nil
	}
	return f, nil
}

// directly returns a log in f, which is at its beginning, or nil if it cannot be written
// directly.
func (fs logFiles) directly(f vfs.File, name string) vfs.File {
	if !fs.direct {
		return nil
	}
	d, err := osfile.OpenDirect(name)
	if err != nil {
		return nil
	}
	l, err := newDirectLog(f, d)
	if err != nil {
		_ = d.Close() // nothing was written that matters
		return nil
	}
	return l
}

// Unwrap makes the file system below known to Pebble.
func (fs logFiles) Unwrap() vfs.FS { return fs.FS }

// logFile is a log that is written from its beginning to its end.
type logFile struct {
	vfs.File
	written int64
	length  int64
	stuck   bool // it cannot grow ahead
}

// Write appends p to what is written. That the file cannot grow ahead is no failure.
func (f *logFile) Write(p []byte) (int, error) {
	if end := f.written + int64(len(p)); end > f.length && !f.stuck {
		n, err := f.File.WriteAt(zeros[:], end)
		f.length, f.stuck = end+int64(n), err != nil
	}
	n, err := f.File.Write(p)
	f.written += int64(n)
	return n, err
}
