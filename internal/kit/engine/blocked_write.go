package engine

import "github.com/cockroachdb/pebble/v2"

// A write blocks in the storage while there is no space for the log, for a new log or for
// the memtable that must be flushed first. It cannot be cancelled, so its caller stops
// waiting: another goroutine completes the write, and no other write begins until then,
// because it would not see the result of this one. The locks of items may therefore be
// released earlier.

// storageWrite is a write to the storage.
type storageWrite interface {
	write() error
	// leave is called if the caller stops waiting; it must copy whatever the caller may
	// reuse.
	leave()
	// end is called with the result of the write.
	end(err error)
}

// carry executes a write. While the disk is tight, it returns errUnsettled if the write
// blocks. Only then does the write have its own goroutine, because starting one takes as
// long as a small write.
func (e *Engine) carry(w storageWrite) error {
	if e.disk == nil || !e.disk.tight.Load() {
		err := w.write()
		w.end(err)
		return err
	}
	done := make(chan error, 1)
	go func() { done <- w.write() }()
	select {
	case err := <-done:
		w.end(err)
		return err
	case <-e.disk.stuck.now():
	}
	passed, stop := e.commits.after(maxStuck)
	defer stop()
	select {
	case err := <-done:
		w.end(err)
		return err
	case <-passed:
	}
	w.leave()
	e.disk.left.Add(1)
	e.late.Go(func() {
		w.end(<-done)
		e.disk.left.Add(-1)
	})
	return errUnsettled
}

// nameWrite stores an attribute name; its caller waits until it is on disk.
type nameWrite struct {
	engine     *Engine
	key, value []byte
}

func (n *nameWrite) write() error { return n.engine.db.Set(n.key, n.value, pebble.Sync) }
func (n *nameWrite) leave()       {}
func (n *nameWrite) end(error)    {}
