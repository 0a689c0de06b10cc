package engine

import "sync/atomic"

// Requests may be running when the engine is closed, for instance those that a server has
// cut off. Every use of the storage therefore either begins before the engine is closed, and
// Close waits for it, or fails. Changes and writes hold e.shape, see lockShape and
// shareShape. Reads, which need no lock, are counted.

// users counts uses of the storage that hold no lock. The zero value has none.
type users struct {
	n atomic.Int64
	// idle receives a value when the last use has ended.
	idle chan struct{}
}

// use begins a use of the storage, which must be ended, unless the engine is closed. It may
// be called during another use.
func (e *Engine) use() error {
	e.users.n.Add(1)
	if e.closed.Err() != nil {
		e.endUse()
		return errClosed
	}
	return nil
}

func (e *Engine) endUse() {
	if e.users.n.Add(-1) == 0 && e.closed.Err() != nil {
		signal(e.users.idle)
	}
}

// awaitUsers returns when the storage is no longer used. The engine must be closed.
func (e *Engine) awaitUsers() {
	for e.users.n.Load() > 0 {
		<-e.users.idle
	}
	// What holds the lock has begun before, and whatever locks it later fails.
	e.shape.Lock()
	defer e.shape.Unlock()
}

// shareShape locks e.shape for a write, unless the engine is closed.
func (e *Engine) shareShape() error {
	e.shape.RLock()
	if e.closed.Err() != nil {
		e.shape.RUnlock()
		return errClosed
	}
	return nil
}
