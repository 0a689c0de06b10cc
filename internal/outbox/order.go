package outbox

import (
	"sync"
	"time"
)

// patience is how long the notifications of an event wait for those of the previous event
// with its key, whose response has not been written.
const patience = 250 * time.Millisecond

// order lets subscribers hear of events with the same ordering key in the order of their
// delivery: the responses that their notifications wait for are written in any order. The
// zero value is ready for use.
type order struct {
	mu sync.Mutex
	// last is closed after the latest notifications of a key, which is then removed.
	last map[string]chan struct{}
}

// next returns publish in its place: when called, which it must be, it waits for the previous
// one of key.
func (o *order) next(key string, publish func()) func() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last == nil {
		o.last = map[string]chan struct{}{}
	}
	previous, ended := o.last[key], make(chan struct{})
	o.last[key] = ended
	return func() {
		defer o.end(key, ended)
		if previous != nil {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			select {
			case <-previous:
			case <-timer.C:
			}
		}
		publish()
	}
}

func (o *order) end(key string, ended chan struct{}) {
	close(ended)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last[key] == ended {
		delete(o.last, key)
	}
}
