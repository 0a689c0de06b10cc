package server

import (
	"context"
	"sync"
)

// running is an operation of a socket between its begin and its end.
type running struct {
	id string
	// asked tells the request of a subscription from others of the same id.
	asked  string
	cancel context.CancelFunc

	mu   sync.Mutex
	over bool
}

// unlessOver calls f, unless nothing more may be sent for the operation. While f runs the
// operation does not end.
func (r *running) unlessOver(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		f()
	}
}

// operations are those that run on one socket, by the ids that its client chose.
type operations struct {
	mu   sync.Mutex
	byID map[string]*running
}

// add reports false when the id of r is in use.
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

// exceed reports whether more operations run than may. What is refused for another reason
// counts towards no limit, so that an operation is added before this is asked.
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

// end ends an operation and frees its id. It reports false if somebody else was first,
// who then has the last word to the client.
func (o *operations) end(r *running) bool {
	r.mu.Lock()
	was := r.over
	r.over = true
	r.mu.Unlock()
	if was {
		return false
	}
	o.mu.Lock()
	delete(o.byID, r.id)
	o.mu.Unlock()
	r.cancel()
	return true
}
