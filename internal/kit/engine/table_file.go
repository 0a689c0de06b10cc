package engine

import (
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableFiles is a file system in which tables are written in large pieces that fill
// whole pages. Pebble writes them block by block, and each write that begins or ends
// within a page costs the kernel more than the bytes in it. Those that are merged give
// back their pages.
type tableFiles struct{ vfs.FS }

// tableSuffix is what names of tables end with.
const tableSuffix = ".sst"

func (fs tableFiles) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.Create(name, category)
	if err != nil || !strings.HasSuffix(name, tableSuffix) {
		return f, err
	}
	return &tableFile{File: f, buffer: tableBuffers.Get().(*[tableBuffer]byte)}, nil
}

// Unwrap makes the file system below known to Pebble.
func (fs tableFiles) Unwrap() vfs.FS { return fs.FS }

// tableBuffer is how much is gathered before it is written, a multiple of all page sizes.
const tableBuffer = 256 << 10

var tableBuffers = sync.Pool{New: func() any { return new([tableBuffer]byte) }}

// tableFile is a table that is being written, from its beginning to its end.
type tableFile struct {
	vfs.File
	buffer  *[tableBuffer]byte
	filled  int   // of the buffer
	written int64 // to the file
}

// Write gathers p. It fails when what was gathered before cannot be written.
func (f *tableFile) Write(p []byte) (n int, err error) {
	for n < len(p) {
		taken := copy(f.buffer[f.filled:], p[n:])
		n += taken
		f.filled += taken
		if f.filled < tableBuffer {
			break
		}
		if err := f.flush(); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (f *tableFile) flush() error {
	if f.filled == 0 {
		return nil
	}
	n, err := f.File.Write(f.buffer[:f.filled])
	f.filled = 0
	f.written += int64(n)
	return err
}

func (f *tableFile) Sync() error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *tableFile) SyncData() error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.File.SyncData()
}

// SyncTo never says that everything is on disk, since some of it may be gathered here.
func (f *tableFile) SyncTo(length int64) (fullSync bool, err error) {
	if f.written < length {
		if err := f.flush(); err != nil {
			return false, err
		}
	}
	_, err = f.File.SyncTo(length)
	return false, err
}

func (f *tableFile) Stat() (vfs.FileInfo, error) {
	if err := f.flush(); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

// Close writes what is left. Closing again does nothing but close the file again.
func (f *tableFile) Close() error {
	if f.buffer == nil {
		return f.File.Close()
	}
	err := f.flush()
	tableBuffers.Put(f.buffer)
	f.buffer = nil
	if closed := f.File.Close(); err == nil {
		err = closed
	}
	return err
}
