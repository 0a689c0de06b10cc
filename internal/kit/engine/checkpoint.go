package engine

import (
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Checkpoint copies the current database to dir, which must not exist, while requests are
// served. Open can open the copy. Immutable files are linked instead of copied if dir is on
// the same file system. In-memory databases cannot be copied.
func (e *Engine) Checkpoint(dir string) error {
	if err := e.use(); err != nil {
		return err
	}
	defer e.endUse()
	if e.dir == "" {
		return fmt.Errorf("engine: a database in memory cannot be copied to %q", dir)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		return fmt.Errorf("engine: copy to %q: the directory exists already", dir)
	}
	if err := e.db.Checkpoint(dir, pebble.WithFlushedWAL()); err != nil {
		return fmt.Errorf("engine: copy to %q: %w", dir, err)
	}
	return writeFormat(dir, privateFiles{vfs.Default})
}
