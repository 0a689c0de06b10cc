package outbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stoa/internal/kit/lease"
	"stoa/internal/kit/page"
	"stoa/social"
)

// batch is how many events are read at once, and removed at once.
const batch = 25

// errHeldElsewhere means that another process delivers the events of a shard.
var errHeldElsewhere = errors.New("another process delivers the events of this shard")

// shard delivers the events of one queue, one after the other.
type shard struct {
	*Dispatcher
	number int
	nudged chan struct{}

	// mu is held through a sweep; it guards what is below.
	mu    sync.Mutex
	lease *lease.Lease
	// begun are deliveries that did not end with the event's removal, by its id.
	begun map[string]*delivery
}

func newShard(d *Dispatcher, number int) *shard {
	return &shard{Dispatcher: d, number: number, nudged: make(chan struct{}, 1), begun: map[string]*delivery{}}
}

// nudge makes a run look again. One that is about to look needs no second nudge.
func (s *shard) nudge() {
	select {
	case s.nudged <- struct{}{}:
	default:
	}
}

func (s *shard) run(ctx context.Context) {
	poll := time.NewTicker(s.Poll)
	defer poll.Stop()
	defer s.release(ctx)
	due := func(e social.Event) bool { return s.begun[e.ID].due(s.Now()) }
	for {
		_, err := s.sweep(ctx, due, func(social.Event, error) {})
		if err != nil && ctx.Err() == nil && !errors.Is(err, errHeldElsewhere) {
			s.Log.ErrorContext(ctx, "events wait", "shard", s.number, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.nudged:
		case <-poll.C:
		}
	}
}

// release gives the shard to others although ctx has ended.
func (s *shard) release(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.lease.Release(ctx); err != nil {
		s.Log.ErrorContext(ctx, "lease not given back", "shard", s.number, "error", err)
	}
	s.lease = nil
}

// sweep goes once through the events that wait, tries those that are wanted, and
// returns how many were delivered. Failures go to failed; the error returned is one
// that keeps the sweep from going on.
func (s *shard) sweep(ctx context.Context, wanted func(social.Event) bool, failed func(social.Event, error)) (delivered int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := map[string]bool{}
	for q := (page.Query{First: batch}); ; {
		pending, err := s.Store.Pending(ctx, s.number, q)
		if err != nil {
			return delivered, err
		}
		if len(pending.Items) > 0 {
			n, err := s.deliverAll(ctx, pending.Items, wanted, failed)
			delivered += n
			if err != nil {
				return delivered, err
			}
		}
		for _, e := range pending.Items {
			waiting[e.ID] = true
		}
		if pending.Next == "" {
			s.forget(waiting)
			return delivered, nil
		}
		q.After = pending.Next
	}
}

// forget drops deliveries whose events wait no more, because another process ended
// them.
func (s *shard) forget(waiting map[string]bool) {
	for id := range s.begun {
		if !waiting[id] {
			delete(s.begun, id)
		}
	}
}

// deliverAll tries the wanted ones of a page of events under the lease of the shard,
// and removes those delivered.
func (s *shard) deliverAll(ctx context.Context, events []social.Event, wanted func(social.Event) bool, failed func(social.Event, error)) (int, error) {
	ctx, end, err := s.hold(ctx)
	if err != nil {
		return 0, err
	}
	defer end()
	var done []social.Event
	for _, e := range events {
		if !wanted(e) {
			continue
		}
		if !s.lease.Held() {
			break
		}
		if err := s.deliver(ctx, e); err != nil {
			failed(e, err)
			continue
		}
		done = append(done, e)
	}
	if len(done) == 0 {
		return 0, ctx.Err()
	}
	// What is delivered is removed although the process is about to end.
	if err := s.Store.Done(context.WithoutCancel(ctx), s.number, done); err != nil {
		return 0, fmt.Errorf("remove delivered events: %w", err)
	}
	for _, e := range done {
		delete(s.begun, e.ID)
	}
	return len(done), ctx.Err()
}

// hold takes or keeps the lease of the shard. It is renewed until end is called, and
// the context ends with it, so that a long delivery stops when another process takes
// over.
func (s *shard) hold(ctx context.Context) (held context.Context, end func(), err error) {
	if s.lease == nil || !s.lease.Held() {
		if s.lease, err = s.Leases.Take(ctx, fmt.Sprintf("outbox/%d", s.number)); err != nil {
			return nil, nil, err
		}
		if s.lease == nil {
			return nil, nil, errHeldElsewhere
		}
	}
	held, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.renew(held, s.lease, stop)
	}()
	return held, func() { stop(); <-ended }, nil
}

// renew keeps a lease until ctx ends, and calls lost when that fails for too long.
func (s *shard) renew(ctx context.Context, l *lease.Lease, lost func()) {
	tick := time.NewTicker(s.Leases.For / 8)
	defer tick.Stop()
	for {
		if l.Due() {
			if _, err := l.Renew(ctx); err != nil && ctx.Err() == nil {
				s.Log.ErrorContext(ctx, "lease not renewed", "shard", s.number, "error", err)
			}
		}
		if !l.Held() {
			lost()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
