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

// Most items that are read and not in the cache do not exist: for example, a block between
// two users, or a new id. A filter of the keys of all items knows this without asking the
// storage level by level.
//
// A write adds its keys before it is applied. The filter is saved when the engine is closed
// properly and loaded when it is next opened. After a crash it is rebuilt from the stored
// keys in the background; until then, the storage is asked.

const (
	// maxKeyFilter is the maximum size of the filter in bytes, enough for 15 to 20 million
	// items. While it is being rebuilt, it takes up to twice as much. With more items,
	// there is no filter.
	maxKeyFilter = 32 << 20

	// keyFilterFile contains the saved filter. It is removed while the engine is open.
	keyFilterFile = "KEY-FILTER"

	// A build reads this many keys, then rests for restAfter times as long as that took.
	keysAtOnce = 4096
	restAfter  = 4
)

// noteKey adds the key of an item about to be stored, or counts one about to be removed.
func (e *Engine) noteKey(n newItem) {
	if n.exists {
		e.keys.Add(n.place)
	} else {
		e.keys.Gone(1)
	}
}

// keepKeys builds the filter in the background: at once unless a saved one was loaded, and
// again whenever that improves it.
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

// buildKeys builds the filter from the stored keys. It reports whether the filter is
// useful.
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
		e.log.Info("too many items for the key filter; every lookup reads the storage", "items", items)
		return false
	case err != nil && !errors.Is(err, errAbandoned):
		e.log.Error("building the key filter failed; lookups of missing items read the storage", "error", err)
	}
	return e.keys.Complete()
}

// eachKey passes the keys of the items of all tables to add, at low priority.
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

// someKeys passes the first keys of s to add, at most keysAtOnce, and returns the last one
// if there may be more. It does not keep an iterator open for long, which would retain
// overwritten data.
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

// rest waits for d or until the engine is closed.
func (e *Engine) rest(d time.Duration) error {
	ctx, cancel := context.WithTimeout(e.closed, d)
	defer cancel()
	<-ctx.Done()
	if e.closed.Err() != nil {
		return errAbandoned
	}
	return nil
}

// saveKeys saves the filter of a database that has just been closed. If that fails, the
// next start rebuilds it.
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
		e.log.Warn("saving the key filter failed; it is rebuilt at the next start", "error", err)
	}
}

// takeKeys loads the saved filter, and removes the file before the first write invalidates
// it. A database that another process has written to meanwhile does not match the filter.
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
		e.log.Info("rebuilding the key filter", "reason", err)
	}
}

// storeState describes the closed database by its files: any process that opens it, of any
// version, starts a log with a new name.
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
