package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// incoming is the directory of files being written. No key begins with a dot.
	incoming = ".incoming"
	// abandoned is the age from which a file in incoming belongs to a dead process.
	abandoned = 48 * time.Hour
	// removed is the beginning of the names of directories in incoming that are being removed.
	removed = "removed-"
)

// Dir is a Store of files: the key is the path below the directory. Files are readable only
// by the user of the process.
type Dir struct{ root string }

// OpenDir opens a directory, creating it if necessary. Several processes may share one.
func OpenDir(dir string) (*Dir, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	d := &Dir{root}
	if err := os.MkdirAll(filepath.Join(root, incoming), 0o700); err != nil {
		return nil, err
	}
	return d, d.sweep()
}

// sweep removes files that dead processes were writing, and directories that they were removing.
func (d *Dir) sweep() error {
	entries, err := os.ReadDir(filepath.Join(d.root, incoming))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && (time.Since(info.ModTime()) > abandoned || strings.HasPrefix(entry.Name(), removed)) {
			err = os.RemoveAll(filepath.Join(d.root, incoming, entry.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Path implements Local.
func (d *Dir) Path(key string) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	return filepath.Join(d.root, filepath.FromSlash(key)), nil
}

// Put implements Store. The object is on disk when Put returns.
func (d *Dir) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	file, err := d.Path(key)
	if err != nil {
		return 0, err
	}
	var n int64
	err = d.replace(file, func(temp string) error {
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if n, err = io.Copy(f, &contextReader{ctx, r}); err == nil {
			err = f.Sync()
		}
		return errors.Join(err, f.Close())
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Copy implements Store. Files are never modified in place, so a hard link suffices.
func (d *Dir) Copy(_ context.Context, from, to string) error {
	source, err := d.Path(from)
	if err != nil {
		return err
	}
	target, err := d.Path(to)
	if err != nil || source == target {
		return err
	}
	return found(d.replace(target, func(temp string) error { return os.Link(source, temp) }))
}

// replace lets write create a new file and moves it to file.
func (d *Dir) replace(file string, write func(temp string) error) error {
	temp := filepath.Join(d.root, incoming, fmt.Sprintf("%d-%s", os.Getpid(), nonce()))
	if err := write(temp); err != nil {
		os.Remove(temp) // may not exist
		return err
	}
	err := d.rename(temp, file)
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// rename creates the directories of file. One of them may be removed concurrently because
// it has become empty, so it retries.
func (d *Dir) rename(temp, file string) (err error) {
	dir := filepath.Dir(file)
	for range 10 {
		// A directory that goes while it is created is reported to exist.
		if err = os.MkdirAll(dir, 0o700); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err = os.Rename(temp, file); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return err
	}
	// Renaming one hard link of a file to another leaves the first.
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) { // the file does not exist either
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Open implements Store.
func (d *Dir) Open(_ context.Context, key string, part Range) (io.ReadCloser, Info, error) {
	file, err := d.Path(key)
	if err != nil {
		return nil, Info{}, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, Info{}, found(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = ErrNotFound
	}
	if err == nil {
		_, err = f.Seek(part.Start, io.SeekStart)
	}
	if err != nil {
		return nil, Info{}, errors.Join(err, f.Close())
	}
	if part.Length > 0 {
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(f, part.Length), f}, infoOf(info), nil
	}
	return f, infoOf(info), nil
}

// Head implements Store.
func (d *Dir) Head(_ context.Context, key string) (Info, error) {
	file, err := d.Path(key)
	if err != nil {
		return Info{}, err
	}
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Info{}, found(err)
	}
	return infoOf(info), nil
}

// infoOf derives the ETag from time and size: two contents of one key cannot have both in
// common, since each is a new file written after the previous one.
func infoOf(info fs.FileInfo) Info {
	return Info{
		Size:       info.Size(),
		ETag:       fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()),
		ModifiedAt: info.ModTime(),
	}
}

// Delete implements Store.
func (d *Dir) Delete(_ context.Context, key string) error {
	file, err := d.Path(key)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d.prune(filepath.Dir(file))
	return nil
}

// DeleteTree implements Store.
func (d *Dir) DeleteTree(_ context.Context, prefix string) error {
	dir, err := d.Path(prefix)
	if err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil
	}
	if err == nil {
		// A directory to which files are added concurrently cannot be removed where it is.
		moved := filepath.Join(d.root, incoming, removed+nonce())
		if err = os.Rename(dir, moved); err == nil {
			err = removeAll(moved)
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	d.prune(filepath.Dir(dir))
	return err
}

// removeAll removes a directory that was moved. Files that were being added to it may arrive now,
// but no others, so it retries.
func removeAll(dir string) (err error) {
	for range 10 {
		if err = os.RemoveAll(dir); !errors.Is(err, syscall.ENOTEMPTY) {
			break
		}
	}
	return err
}

// prune removes empty directories, from dir upwards.
func (d *Dir) prune(dir string) {
	for ; len(dir) > len(d.root) && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
}

// found converts the file system's various errors for missing files to ErrNotFound.
func found(err error) error {
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return ErrNotFound
	}
	return err
}
