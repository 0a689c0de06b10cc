package engine

import (
	"bufio"
	"errors"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableBuffer is the size of the writes of tables: Pebble writes each block with two writes,
// which cost more processor time than the copies of their contents.
const tableBuffer = 64 << 10

// tableFiles is a file system that writes tables with large writes. It is above what repeats
// a write for which there was no space: a buffer cannot be used after an error.
type tableFiles struct{ vfs.FS }

func (t tableFiles) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := t.FS.Create(name, category)
	if err != nil || filepath.Ext(name) != ".sst" {
		return f, err
	}
	return &tableFile{f, bufio.NewWriterSize(f, tableBuffer)}, nil
}

// Unwrap returns the underlying file system for Pebble.
func (t tableFiles) Unwrap() vfs.FS { return t.FS }

// tableFile is a file that is written from its start to its end.
type tableFile struct {
	vfs.File
	buffer *bufio.Writer
}

func (t *tableFile) Write(p []byte) (int, error) { return t.buffer.Write(p) }

func (t *tableFile) Sync() error {
	if err := t.buffer.Flush(); err != nil {
		return err
	}
	return t.File.Sync()
}

func (t *tableFile) SyncData() error {
	if err := t.buffer.Flush(); err != nil {
		return err
	}
	return t.File.SyncData()
}

func (t *tableFile) SyncTo(length int64) (fullSync bool, err error) {
	if err := t.buffer.Flush(); err != nil {
		return false, err
	}
	return t.File.SyncTo(length)
}

func (t *tableFile) Close() error { return errors.Join(t.buffer.Flush(), t.File.Close()) }
