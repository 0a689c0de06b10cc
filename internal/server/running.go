package server

import (
	"context"
	"sync"
)

// running is an operation of a socket, from start to end.
type running struct {
	id string
	// asked and caller distinguish an AppSync subscription from others with the same id, and
	// listener rechecks its credentials.
	asked, caller string
	listener      *listener
	cancel        context.CancelFunc

	mu   sync.Mutex
	over bool
}

// unlessOver calls f if messages may still be sent for the operation. The operation does
// not end while f runs.
func (r *running) unlessOver(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		f()
	}
}

// operations are the running operations of one socket, by the ids chosen by its client.
type operations struct {
	mu   sync.Mutex
	byID map[string]*running
}

// add returns false if the id of r is in use.
func (o *operations) add(r *running) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byID[r.id] != nil {
		return false
	}
	if o.byID == nil {
		o.byID = map[string]*running{}
	}
	o.byID[r.id] = r
	return true
}

// exceed reports whether more operations are running than allowed. It is called after an
// operation has been added, because operations refused for other reasons do not count.
func (o *operations) exceed(limit int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.byID) > limit
}

func (o *operations) find(id string) *running {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byID[id]
}

func (o *operations) none() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.byID) == 0
}

// end ends an operation, releases its id and calls last, which sends the last message for
// it. It does nothing and returns false if another caller has ended the operation.
//
// Nobody finds the operation gone before its last message has been sent: a socket that is
// closed once it has no operations would lose it. Last must not use the operations.
func (o *operations) end(r *running, last func()) bool {
	r.mu.Lock()
	was := r.over
	r.over = true
	r.mu.Unlock()
	if was {
		return false
	}
	defer r.cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.byID, r.id)
	last()
	return true
}

// noMessage is the last message of an operation whose client expects none.
func noMessage() {}
