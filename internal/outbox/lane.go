package outbox

import (
	"context"
	"errors"

	"stoa/internal/kit/after"
	"stoa/internal/kit/trace"
)

// Lane is the remainder of a fan-out: the event and the cursor to continue at.
type Lane struct {
	Record
	// Name is the name of the lane's receiver; see FanOut.
	Name   string
	Cursor string
}

// trackOf identifies lanes that are processed one after the other.
func trackOf(name, key string) string { return "lane " + name + " " + key }

// id distinguishes lanes of the same event.
func (l Lane) id() string { return l.ID + " " + l.Name }

// openLane is a lane that this process has opened or taken over. Between its steps, only the
// job uses Lane.
type openLane struct {
	Lane
	// member is this process when the lane came to it; see delivery.
	member string
	// cause is that of the event, of which the store has only the time.
	cause cause
	backoff
}

// open stores a lane. It is processed after the response of origin has been written.
func (d *Dispatcher) open(ctx, origin context.Context, l Lane, c cause) error {
	j := d.laneWaits(l, c, true)
	if err := d.Store.OpenLane(ctx, d.owner.fence(), l); err != nil {
		if j != nil {
			d.laneEnds(l)
			d.turns.release(j) // to find it gone
		}
		return err
	}
	if j != nil {
		after.Do(origin, func() { d.turns.release(j) })
	}
	return nil
}

// laneWaits adds the job of a lane, unless it has one.
func (d *Dispatcher) laneWaits(l Lane, c cause, held bool) *job {
	o := &openLane{Lane: l, member: d.owner.fence(), cause: c, backoff: l.Failures.backoff()}
	d.mu.Lock()
	if d.lanes[l.id()] != nil {
		d.mu.Unlock()
		return nil
	}
	d.lanes[l.id()] = o
	d.load[l.Shard]++
	d.mu.Unlock()
	j := &job{id: l.id(), track: trackOf(l.Name, l.Key), slow: slow(l.Key), held: held}
	j.do = func(ctx context.Context) bool { return d.advance(ctx, o, j) }
	d.turns.add(j)
	return j
}

func (d *Dispatcher) laneEnds(l Lane) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lanes[l.id()] != nil {
		delete(d.lanes, l.id())
		d.load[l.Shard]--
	}
}

// advance does a step of a lane, and reports whether the next one may follow at once.
func (d *Dispatcher) advance(ctx context.Context, o *openLane, j *job) (more bool) {
	d.mu.Lock()
	open := d.lanes[o.id()] == o
	d.mu.Unlock()
	if !open {
		return false
	}
	more, err := d.chunk(ctx, o)
	switch {
	case errors.Is(err, ErrNotOwner):
		d.laneEnds(o.Lane) // another process continues it
		return false
	case err != nil:
		d.laneFailed(ctx, o, j, err)
		return false
	case !more:
		d.laneEnds(o.Lane)
	}
	return more
}

// chunk processes one chunk of a lane, delivers the events that its receiver commits, and
// stores the new cursor.
func (d *Dispatcher) chunk(ctx context.Context, o *openLane) (more bool, err error) {
	to, err := d.lane(o.Record.Name, o.Name)
	if err != nil {
		return false, err
	}
	ctx, span := d.Tracer.Continue(ctx, o.Trace, trace.Received, "fan out", o.Record.Name)
	defer span.End()
	span.Set("messaging.message.id", o.ID)
	r := &run{Dispatcher: d, origin: ctx, current: claimed{Record: o.Record, cause: o.cause}}
	var heard []Message
	unlock := d.keys.lock(o.Key)
	next, _, err := call(context.WithValue(ctx, runKey{}, r), to, o.Record, o.Cursor, func(m ...Message) { heard = append(heard, m...) })
	unlock()
	d.publish(ctx, o.Record, o.cause, heard)
	_ = r.all(ctx) // recorded for a retry
	if err != nil {
		return false, err
	}
	member := d.rightOf(o.member)
	if next == "" {
		return false, d.Store.CloseLane(ctx, member, o.Lane)
	}
	if err := d.Store.AdvanceLane(ctx, member, o.Lane, next); err != nil {
		return false, err
	}
	o.Cursor = next
	return true, nil
}

func (d *Dispatcher) laneFailed(ctx context.Context, o *openLane, j *job, err error) {
	report(ctx, j.id, err)
	if ctx.Err() != nil {
		d.turns.postpone(j, o.notUntil)
		return
	}
	o.postpone(d.Now(), err)
	d.Metrics.Failed(o.Record.Name)
	d.Log.ErrorContext(ctx, "fan-out failed", "event", o.ID, "name", o.Record.Name, "lane", o.Name, "key", o.Key,
		"attempts", o.attempts, "again", o.notUntil, "error", err)
	member := d.rightOf(o.member)
	d.storeFailures(ctx, member, o.Lane, o.backoff)
	if d.isHopeless(o.Record, o.backoff) && d.park(ctx, member, o.Lane, o.backoff, err) {
		d.laneEnds(o.Lane)
		return
	}
	d.turns.postpone(j, o.notUntil)
}
