package engine

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// UnwritableError means that no file can be created in the directory of the database.
type UnwritableError struct {
	Dir string
	Err error
}

func (e *UnwritableError) Error() string {
	return fmt.Sprintf("engine: directory %q cannot be written: %v", e.Dir, e.Err)
}

func (e *UnwritableError) Unwrap() error { return e.Err }

// probeFile is created and removed to find out whether the directory can be written. If it
// could not, the storage would try to create its next log for ever.
const probeFile = "PROBE"

// checkWritable returns an *UnwritableError unless files can be created and removed in dir.
// A full disk is not an error: the reserve may suffice.
func checkWritable(dir string, fsys vfs.FS) error {
	path := fsys.PathJoin(dir, probeFile)
	f, err := fsys.Create(path, vfs.WriteCategoryUnspecified)
	if err == nil {
		err = f.Close()
		// Another process that is starting may have removed it.
		if removed := fsys.Remove(path); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	if err == nil || isFull(err) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &UnwritableError{Dir: dir, Err: err}
}
