package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"stoa/internal/kit/engine/keyfilter"
)

// Most items that are looked for and not in the cache do not exist: whether one user
// blocks another, or a new id is free. A filter of the keys of all items knows so
// without the storage, which would be asked level by level.
//
// A write adds its keys before it is applied. The filter is saved when the engine is
// closed in good order and taken when it is opened next; after a crash it is built from
// the stored keys in the background, and until then the storage answers.

const (
	// maxKeyFilter is how large the filter gets, in bytes, enough for 15 to 20 million
	// items. While it is built anew it takes twice as much at most. With more items the
	// engine goes without.
	maxKeyFilter = 32 << 20

	// keyFilterFile has the saved filter. It is gone while the engine is open.
	keyFilterFile = "KEY-FILTER"

	// A build reads this many keys, then rests restAfter times as long as that took.
	keysAtOnce = 4096
	restAfter  = 4
)

// noteKey enters what is about to be stored, or counts what will be gone.
func (e *Engine) noteKey(n newItem) {
	if n.exists {
		e.keys.Add(n.place)
	} else {
		e.keys.Gone(1)
	}
}

// keepKeys builds the filter in the background, now unless a saved one was taken and
// again when that makes it better.
func (e *Engine) keepKeys() {
	e.keeper.Go(func() {
		known := e.keys.Complete() || e.buildKeys()
		for known {
			select {
			case <-e.closed.Done():
				return
			case <-e.keys.Due():
				known = e.buildKeys()
			}
		}
	})
}

// buildKeys builds the filter from the stored keys. It reports whether the filter is of
// use from now on.
func (e *Engine) buildKeys() bool {
	items := int64(0)
	for _, t := range *e.tables.Load() {
		items += t.counts.load().Items
	}
	settle := func() {
		// Every write holds e.shape until it is applied.
		e.shape.Lock()
		defer e.shape.Unlock()
	}
	err := e.keys.Build(int(items), settle, e.eachKey)
	switch {
	case errors.Is(err, keyfilter.ErrFull):
		e.log.Info("too many items to know their keys; the storage is asked for each", "items", items)
		return false
	case err != nil && !errors.Is(err, errAbandoned):
		e.log.Error("reading the keys of all items failed; the storage is asked for those that the filter does not know", "error", err)
	}
	return e.keys.Complete()
}

// eachKey passes the keys of the items of all tables to add, without haste.
func (e *Engine) eachKey(add func(key []byte)) error {
	for _, t := range *e.tables.Load() {
		for s := t.whole(); ; {
			begun := time.Now()
			last, err := e.someKeys(s, add)
			if err != nil {
				return err
			}
			if last == nil {
				break
			}
			s.startAfter(last)
			if err := e.rest(restAfter * time.Since(begun)); err != nil {
				return err
			}
		}
	}
	return nil
}

// someKeys passes the first keys of s to add, keysAtOnce at most, and returns the last
// when there may be more. An iterator in use for long would keep what is overwritten.
func (e *Engine) someKeys(s span, add func(key []byte)) (last []byte, err error) {
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: s.lower, UpperBound: s.upper})
	if err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		add(it.Key())
		if n++; n == keysAtOnce {
			last = slices.Clone(it.Key())
			break
		}
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	return last, nil
}

// rest waits, but not longer than the engine is open.
func (e *Engine) rest(d time.Duration) error {
	ctx, cancel := context.WithTimeout(e.closed, d)
	defer cancel()
	<-ctx.Done()
	if e.closed.Err() != nil {
		return errAbandoned
	}
	return nil
}

// saveKeys saves the filter of a database that was just closed. When that fails the
// next start builds it again.
func (e *Engine) saveKeys() {
	if e.dir == "" {
		return
	}
	state, err := e.storeState()
	if err == nil {
		if data := e.keys.Save(state); data != nil {
			err = replaceFile(e.fs, e.dir, keyFilterFile, data)
		}
	}
	if err != nil {
		e.log.Warn("saving the keys of all items failed; the next start reads them anew", "error", err)
	}
}

// takeKeys takes the saved filter, which is removed before the first write makes it
// untrue. A database that others have written to meanwhile does not match it.
func (e *Engine) takeKeys() {
	if e.dir == "" {
		return
	}
	data, err := readFile(e.fs, e.fs.PathJoin(e.dir, keyFilterFile))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var state string
	if err == nil {
		state, err = e.storeState()
	}
	if err == nil {
		err = removeFile(e.fs, e.dir, keyFilterFile)
	}
	if err == nil {
		err = e.keys.Load(data, state)
	}
	if err != nil {
		e.log.Info("the keys of all items are read anew", "because", err)
	}
}

// storeState describes the closed database by its files: any process that opens it, of whatever
// version, begins a log under a new name.
func (e *Engine) storeState() (string, error) {
	names, err := e.fs.List(e.dir)
	if err != nil {
		return "", fmt.Errorf("engine: list %q: %w", e.dir, err)
	}
	slices.Sort(names)
	var state strings.Builder
	for _, name := range names {
		if strings.HasPrefix(name, keyFilterFile) {
			continue
		}
		info, err := e.fs.Stat(e.fs.PathJoin(e.dir, name))
		if err != nil {
			return "", fmt.Errorf("engine: look at %q: %w", name, err)
		}
		fmt.Fprintln(&state, name, info.Size())
	}
	return state.String(), nil
}

func readFile(fsys vfs.FS, path string) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

// replaceFile writes beside the final name and renames, so that the file is never seen
// half written.
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
	return syncDir(fsys, dir)
}

func removeFile(fsys vfs.FS, dir, name string) error {
	if err := fsys.Remove(fsys.PathJoin(dir, name)); err != nil {
		return err
	}
	return syncDir(fsys, dir)
}

func syncDir(fsys vfs.FS, dir string) error {
	d, err := fsys.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
