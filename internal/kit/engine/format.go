package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Format is the version of the storage format. It is incremented with changes that other
// versions would misread.
const Format = 1

// formatFile contains the format's number as text. It is written first, so any directory
// with data has it.
const formatFile = "ENGINE-FORMAT"

// LockedError means that the database is already open.
type LockedError struct {
	Dir string
	Err error
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("engine: directory %q is in use by another process; stop that process or choose another directory", e.Dir)
}

func (e *LockedError) Unwrap() error { return e.Err }

// FormatError means that the data has a format other than this engine's.
type FormatError struct {
	Dir   string
	Found string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("engine: directory %q has data of format %s, this program reads format %d; "+
		"export it with the version that wrote it and import the export", e.Dir, e.Found, Format)
}

// Exists reports whether a directory has a database, or may have one that this process
// cannot look at.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, formatFile))
	return !errors.Is(err, fs.ErrNotExist)
}

func lockDirectory(dir string, fsys vfs.FS) (*pebble.Lock, error) {
	if err := fsys.MkdirAll(dir, privateDir); err != nil {
		return nil, fmt.Errorf("engine: create directory %q: %w", dir, err)
	}
	if dir != "" {
		if err := checkWritable(dir, fsys); err != nil {
			return nil, err
		}
	}
	lock, err := pebble.LockDirectory(dir, fsys)
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("engine: lock directory %q: %w", dir, err)
	}
	return nil, &LockedError{Dir: dir, Err: err}
}

// checkFormat returns an error for data in another format, and marks an empty directory
// with this one.
func checkFormat(dir string, fsys vfs.FS) error {
	path := fsys.PathJoin(dir, formatFile)
	f, err := fsys.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := ownDirectory(dir, fsys); err != nil {
			return err
		}
		return writeFormat(dir, fsys)
	}
	if err != nil {
		return fmt.Errorf("engine: read format: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("engine: read format: %w", err)
	}
	if found := strings.TrimSpace(string(text)); found != strconv.Itoa(Format) {
		return &FormatError{Dir: dir, Found: strconv.Quote(found)}
	}
	return ownDirectory(dir, fsys)
}

// writeFormat marks a directory with this format.
func writeFormat(dir string, fsys vfs.FS) error {
	if err := replaceFile(fsys, dir, formatFile, fmt.Appendln(nil, Format)); err != nil {
		return fmt.Errorf("engine: write format: %w", err)
	}
	return nil
}

// replaceFile writes to a temporary name and renames the file, so that it is never seen
// incomplete.
func replaceFile(fsys vfs.FS, dir, name string, data []byte) error {
	path := fsys.PathJoin(dir, name)
	f, err := fsys.Create(path+".new", vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := fsys.Rename(path+".new", path); err != nil {
		return err
	}
	d, err := fsys.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
