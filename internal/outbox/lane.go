package outbox

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"stoa/internal/kit/after"
	"stoa/internal/kit/page"
)

// Lane is the remainder of a fan-out: the event and the cursor to continue at.
type Lane struct {
	Record
	// Name is the name of the lane's receiver; see FanOut.
	Name   string
	Cursor string
}

// track identifies lanes that are processed one after the other.
type track struct{ name, key string }

func (l Lane) track() track { return track{l.Name, l.Key} }

// id distinguishes lanes of the same event.
func (l Lane) id() string { return l.ID + " " + l.Name }

// laneQueue processes the lanes of a shard, one chunk of each in turn. Lanes with the same
// name and key are processed one after the other.
type laneQueue struct {
	worker

	mu sync.Mutex
	// known holds the lanes that this process opened or failed to process, by id.
	known map[string]*knownLane
}

type knownLane struct {
	track
	// cause is that of the event, of which the store has only the time.
	cause cause
	// held is set until the mutation that opened the lane has been answered.
	held bool
	backoff
}

func newLaneQueue(d *Dispatcher, number int) *laneQueue {
	return &laneQueue{
		worker: worker{Dispatcher: d, number: number, name: fmt.Sprintf("lanes/%d", number), nudged: make(chan struct{}, 1)},
		known:  map[string]*knownLane{},
	}
}

// behind reports whether a lane known to this process must end before another with the same
// name and key may start.
func (q *laneQueue) behind(name, key string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.known {
		if l.track == (track{name, key}) {
			return true
		}
	}
	return false
}

// open stores a lane. It is processed after the response of origin has been written.
func (q *laneQueue) open(ctx, origin context.Context, l Lane, c cause) error {
	known := &knownLane{track: l.track(), cause: c, held: true}
	q.mu.Lock()
	q.known[l.id()] = known
	q.mu.Unlock()
	err := q.Store.OpenLane(ctx, l)
	if err != nil {
		q.forget(l)
		return err
	}
	after.Do(origin, func() {
		q.mu.Lock()
		known.held = false
		q.mu.Unlock()
		q.nudge()
	})
	return nil
}

func (q *laneQueue) forget(l Lane) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.known, l.id())
}

func (q *laneQueue) look(ctx context.Context) error {
	for {
		n, err := q.sweep(ctx, attempts{wanted: q.due, failed: func(string, error) {}})
		if n == 0 || err != nil {
			return err
		}
	}
}

// due reports whether this process should process a lane now.
func (q *laneQueue) due(id string, at time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if l := q.known[id]; l != nil {
		return !l.held && !q.Now().Before(l.notUntil)
	}
	return q.Now().Sub(at) >= grace
}

// sweep processes one chunk of each wanted lane that is the first of its track, and returns
// the number of chunks that succeeded.
func (q *laneQueue) sweep(ctx context.Context, a attempts) (done int, err error) {
	q.sweeping.Lock()
	defer q.sweeping.Unlock()
	taken := map[track]bool{}
	before, waiting := q.ids(), map[string]bool{}
	for pq := (page.Query{First: batch}); ; {
		lanes, err := q.Store.Lanes(ctx, q.number, pq)
		if err != nil {
			return done, err
		}
		var wanted []Lane
		for _, l := range lanes.Items {
			waiting[l.id()] = true
			if !taken[l.track()] && a.wanted(l.id(), l.At) {
				wanted = append(wanted, l)
			}
			taken[l.track()] = true
		}
		n, err := q.advanceAll(ctx, wanted, a)
		done += n
		if err != nil {
			return done, err
		}
		if lanes.Next == "" {
			q.forgetEnded(before, waiting)
			return done, nil
		}
		pq.After = lanes.Next
	}
}

// ids returns the currently known lanes.
func (q *laneQueue) ids() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Keys(q.known))
}

// forgetEnded drops previously known lanes that are no longer stored, because another
// process has completed them.
func (q *laneQueue) forgetEnded(before []string, waiting map[string]bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, id := range before {
		if !waiting[id] {
			delete(q.known, id)
		}
	}
}

func (q *laneQueue) advanceAll(ctx context.Context, lanes []Lane, a attempts) (done int, err error) {
	if len(lanes) == 0 {
		return 0, nil
	}
	held, end, err := q.hold(ctx)
	if err != nil {
		return 0, err
	}
	defer end()
	for _, l := range lanes {
		if !q.lease.Held() {
			break
		}
		if err := q.advance(held, l); err != nil {
			q.failed(held, l, err)
			a.failed(l.id(), err)
			continue
		}
		done++
	}
	return done, held.Err()
}

// causeOf returns the cause of a lane's event.
func (q *laneQueue) causeOf(l Lane) cause {
	q.mu.Lock()
	defer q.mu.Unlock()
	if known := q.known[l.id()]; known != nil {
		return known.cause
	}
	return q.recovered(l.Record)
}

// advance processes one chunk of a lane, delivers the events that its receiver commits, and
// stores the new cursor.
func (q *laneQueue) advance(ctx context.Context, l Lane) error {
	to, err := q.lane(l.Record.Name, l.Name)
	if err != nil {
		return err
	}
	c := q.causeOf(l)
	r := &run{Dispatcher: q.Dispatcher, origin: ctx, current: claimed{Record: l.Record, cause: c}}
	var heard []Message
	key := q.key(l.Key)
	key.Lock()
	next, _, err := call(context.WithValue(ctx, runKey{}, r), to, l.Record, l.Cursor, func(m ...Message) { heard = append(heard, m...) })
	key.Unlock()
	q.publish(ctx, l.Record, c, heard)
	_ = r.all(ctx) // recorded for a retry
	switch {
	case err != nil:
		return err
	case next != "":
		return q.Store.AdvanceLane(ctx, l, next)
	}
	if err := q.Store.CloseLane(ctx, l); err != nil {
		return err
	}
	q.forget(l)
	return nil
}

func (q *laneQueue) failed(ctx context.Context, l Lane, err error) {
	if ctx.Err() != nil {
		return
	}
	q.mu.Lock()
	known := q.known[l.id()]
	if known == nil {
		known = &knownLane{track: l.track(), cause: q.recovered(l.Record)}
		q.known[l.id()] = known
	}
	known.postpone(q.Now())
	attempts, again := known.attempts, known.notUntil
	q.mu.Unlock()
	q.Metrics.Failed(l.Record.Name)
	q.Log.ErrorContext(ctx, "fan-out failed", "event", l.ID, "name", l.Record.Name, "lane", l.Name, "key", l.Key,
		"attempts", attempts, "again", again, "error", err)
}
