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
// one of each key.
func (o *order) next(keys []string, publish func()) func() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last == nil {
		o.last = map[string]chan struct{}{}
	}
	ended := make(chan struct{})
	var previous []chan struct{}
	for _, key := range keys {
		if p := o.last[key]; p != nil {
			previous = append(previous, p)
		}
		o.last[key] = ended
	}
	return func() {
		defer o.end(keys, ended)
		wait(previous)
		publish()
	}
}

// wait waits until all channels are closed, or until the patience is at its end.
func wait(all []chan struct{}) {
	if len(all) == 0 {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for _, c := range all {
		select {
		case <-c:
		case <-timer.C:
			return
		}
	}
}

func (o *order) end(keys []string, ended chan struct{}) {
	close(ended)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, key := range keys {
		if o.last[key] == ended {
			delete(o.last, key)
		}
	}
}
