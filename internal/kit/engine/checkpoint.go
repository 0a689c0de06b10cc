package engine

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Checkpoint copies the database as it is now to dir, which must not exist,
// while requests are served. Open opens the copy. Files that no longer change
// are linked, not copied, when dir is on the same file system. A database in
// memory cannot be copied.
func (e *Engine) Checkpoint(dir string) error {
	if e.closed.Err() != nil {
		return errClosed
	}
	if e.dir == "" {
		return fmt.Errorf("engine: a database in memory cannot be copied to %q", dir)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		return fmt.Errorf("engine: copy to %q: the directory exists already", dir)
	}
	if err := e.db.Checkpoint(dir, pebble.WithFlushedWAL()); err != nil {
		return fmt.Errorf("engine: copy to %q: %w", dir, err)
	}
	return writeFormat(dir, filepath.Join(dir, formatFile), privateFiles{vfs.Default})
}
