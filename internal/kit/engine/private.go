package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Stored data is accessible to the process's owner only: directories are created with mode
// 0700 and files with 0600, whatever the umask.
const (
	privateDir  = 0o700
	privateFile = 0o600
)

// ExposedError means that other users of the machine can read or write the database.
type ExposedError struct {
	Dir  string
	Mode fs.FileMode
}

func (e *ExposedError) Error() string {
	return fmt.Sprintf("engine: directory %q has mode %04o, so that others can read the data; run: chmod -R go= %q", e.Dir, e.Mode, e.Dir)
}

// privateFiles is the operating system's file system with files for the owner only.
type privateFiles struct{ vfs.FS }

func (p privateFiles) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, category)
	return ownFile(f, name, err)
}

func (p privateFiles) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := p.FS.OpenReadWrite(name, category, opts...)
	return ownFile(f, name, err)
}

func (p privateFiles) MkdirAll(dir string, _ os.FileMode) error {
	return p.FS.MkdirAll(dir, privateDir)
}

func (p privateFiles) Lock(name string) (io.Closer, error) {
	lock, err := p.FS.Lock(name)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, privateFile); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// Unwrap returns the underlying file system for Pebble.
func (p privateFiles) Unwrap() vfs.FS { return p.FS }

func ownFile(f vfs.File, name string, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, privateFile); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ownDirectory returns an error for a directory with data that others can read. An empty
// one is made private.
func ownDirectory(dir string, fsys vfs.FS) error {
	if _, ok := fsys.(privateFiles); !ok || runtime.GOOS == "windows" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	mode := info.Mode().Perm()
	if mode&^privateDir == 0 {
		return nil
	}
	_, err = os.Stat(fsys.PathJoin(dir, formatFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Chmod(dir, privateDir)
		if err == nil {
			return nil
		}
	}
	return &ExposedError{Dir: dir, Mode: mode}
}
