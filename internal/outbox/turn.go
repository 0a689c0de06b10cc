package outbox

import (
	"sync"
	"time"
)

// patience is how long the notifications of an event wait for those of the previous event
// with its key, whose response has not been written.
const patience = 250 * time.Millisecond

// turns let subscribers hear of events with the same ordering key in the order of their
// delivery: the responses that their notifications wait for are written in any order. The
// zero value is ready for use.
type turns struct {
	mu sync.Mutex
	// last is closed after the latest notifications of a key, which is then removed.
	last map[string]chan struct{}
}

// next returns publish as the next turn of key: it waits for the previous turn. It must be
// called.
func (t *turns) next(key string, publish func()) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		t.last = map[string]chan struct{}{}
	}
	previous, ended := t.last[key], make(chan struct{})
	t.last[key] = ended
	return func() {
		defer t.end(key, ended)
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

func (t *turns) end(key string, ended chan struct{}) {
	close(ended)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last[key] == ended {
		delete(t.last, key)
	}
}
