package outbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stoa/internal/kit/page"
)

// batch is the number of events read or removed at once.
const batch = 25

// shard removes the delivered events of one queue, and is its fallback: it delivers events
// that no process has delivered.
type shard struct {
	worker

	mu sync.Mutex
	// done holds delivered events yet to be removed.
	done []Record
}

func newShard(d *Dispatcher, number int) *shard {
	return &shard{worker: worker{Dispatcher: d, number: number, name: fmt.Sprintf("outbox/%d", number), nudged: make(chan struct{}, 1)}}
}

// gather is how long a delivered event waits to be removed together with others: a removal
// costs a write and a sync, however many events it removes. Events that a crash keeps from
// being removed are delivered again.
const gather = 200 * time.Millisecond

// delivered schedules the removal of an event.
func (s *shard) delivered(r Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = append(s.done, r)
	switch len(s.done) {
	case 1:
		time.AfterFunc(gather, s.nudge)
	case batch:
		s.nudge()
	}
}

func (s *shard) look(ctx context.Context) error {
	_, err := s.sweep(ctx, attempts{wanted: s.due, failed: func(string, error) {}})
	return err
}

// tidy removes delivered events without scanning for more, because reading a queue has to
// skip all recently removed items.
func (s *shard) tidy(ctx context.Context) error {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	return s.removeDone(ctx)
}

// due reports whether this process should deliver an event now.
func (s *shard) due(id string, at time.Time) bool {
	s.Dispatcher.mu.Lock()
	defer s.Dispatcher.mu.Unlock()
	if dl := s.begun[id]; dl != nil {
		return !s.Now().Before(dl.notUntil)
	}
	return s.Now().Sub(at) >= grace
}

// sweep scans the waiting events once, tries those that are wanted and not in delivery, and
// returns the number delivered. It returns an error only if it cannot continue.
func (s *shard) sweep(ctx context.Context, a attempts) (delivered int, err error) {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	if err := s.removeDone(ctx); err != nil {
		return 0, err
	}
	waiting := map[string]bool{}
	for q := (page.Query{First: batch}); ; {
		pending, err := s.Store.Pending(ctx, s.number, q)
		if err != nil {
			return delivered, err
		}
		n, err := s.deliverAll(ctx, pending.Items, a)
		delivered += n
		if errors.Is(err, errHeldElsewhere) {
			s.forget(nil) // the holder retries what failed here
		}
		if err != nil {
			return delivered, err
		}
		for _, r := range pending.Items {
			waiting[r.ID] = true
		}
		if pending.Next == "" {
			s.forget(waiting)
			return delivered, nil
		}
		q.After = pending.Next
	}
}

// forget drops failed deliveries of events that are no longer stored, because another
// process has delivered them.
func (s *shard) forget(waiting map[string]bool) {
	s.Dispatcher.mu.Lock()
	defer s.Dispatcher.mu.Unlock()
	for id, dl := range s.begun {
		if dl.shard == s.number && !dl.running && !dl.ended && !waiting[id] {
			delete(s.begun, id)
		}
	}
}

// removal is the timeout of removing a batch of events.
const removal = 5 * time.Second

// removeDone removes delivered events, even if the process is shutting down.
func (s *shard) removeDone(ctx context.Context) error {
	for {
		s.mu.Lock()
		done := s.done[:min(batch, len(s.done))]
		s.mu.Unlock()
		if len(done) == 0 {
			return nil
		}
		if err := s.remove(ctx, done); err != nil {
			return fmt.Errorf("remove delivered events: %w", err)
		}
		s.Dispatcher.mu.Lock()
		for _, r := range done {
			delete(s.begun, r.ID)
		}
		s.Dispatcher.mu.Unlock()
		s.mu.Lock()
		s.done = s.done[len(done):]
		if len(s.done) == 0 {
			s.done = nil
		}
		s.mu.Unlock()
	}
}

func (s *shard) remove(ctx context.Context, done []Record) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removal)
	defer cancel()
	return s.Store.Done(ctx, s.number, done)
}

// deliverAll tries the wanted events of a page under the shard's lease, and removes those
// delivered.
func (s *shard) deliverAll(ctx context.Context, records []Record, a attempts) (delivered int, err error) {
	var wanted []Record
	for _, r := range records {
		if a.wanted(r.ID, r.At) {
			wanted = append(wanted, r)
		}
	}
	if len(wanted) == 0 {
		return 0, nil
	}
	held, end, err := s.hold(ctx)
	if err != nil {
		return 0, err
	}
	defer end()
	for _, r := range wanted {
		if !s.lease.Held() {
			break
		}
		run := &run{Dispatcher: s.Dispatcher, origin: held}
		run.add([]Record{r}, s.recovered(r))
		if len(run.queue) == 0 {
			continue // in progress
		}
		if err := run.all(held); err != nil {
			a.failed(r.ID, err)
			continue
		}
		delivered++
	}
	return delivered, errors.Join(s.removeDone(ctx), held.Err())
}
