package engine

import "github.com/cockroachdb/pebble/v2"

// A write to the storage blocks while there is no space for the log, for a new log or for the
// memtable that has to be flushed before. It cannot be withdrawn, so its caller leaves it: the
// write is ended by a goroutine of its own, and no other is begun until then, since it would
// not see what this one has decided. So the locks of items may be released before it ends.

// storageWrite is a write to the storage.
type storageWrite interface {
	write() error
	// leave is called if the caller leaves: nothing that belongs to it may be used afterwards.
	leave()
	// end is called with the result of the write.
	end(err error)
}

// carry makes a write. While the disk is tight, it fails with errUnsettled if the write does
// not end. The write has its own goroutine only then: that takes as long as a small write.
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

// nameWrite stores the name of an attribute, for which the caller waits until it is on disk.
type nameWrite struct {
	engine     *Engine
	key, value []byte
}

func (n *nameWrite) write() error { return n.engine.db.Set(n.key, n.value, pebble.Sync) }
func (n *nameWrite) leave()       {}
func (n *nameWrite) end(error)    {}
