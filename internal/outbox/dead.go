package outbox

import (
	"cmp"
	"context"
	"time"
)

// DeadLetter is an event, or a lane, that is not attempted anymore.
type DeadLetter struct {
	// Letter identifies it; the store sets it.
	Letter string
	// Lane has no name for an event.
	Lane
	At       time.Time
	Attempts int
	// Error is that of the last attempt.
	Error string
}

// An event is parked if its attempts have failed for longer than hopeless, which allows for
// more than hopelessAttempts of them.
const (
	hopeless         = time.Hour
	hopelessAttempts = 12
)

// Patience sets for how long events of a name are attempted before they become dead letters.
// It is called before the dispatcher runs.
func (d *Dispatcher) Patience(name string, lasts time.Duration) { d.patience[name] = lasts }

// isHopeless reports whether it is time to give an event up.
func (d *Dispatcher) isHopeless(r Record, b backoff) bool {
	return b.attempts >= hopelessAttempts && d.Now().Sub(b.first) >= cmp.Or(d.patience[r.Name], hopeless)
}

// park moves an event or a lane to the dead letters, and reports whether it did.
func (d *Dispatcher) park(ctx context.Context, member string, l Lane, b backoff, cause error) bool {
	dead := DeadLetter{Lane: l, At: d.Now(), Attempts: b.attempts, Error: cause.Error()}
	if err := d.Store.Park(ctx, member, dead); err != nil {
		d.Log.ErrorContext(ctx, "parking an event failed; it is attempted again", "event", l.ID, "name", l.Record.Name, "lane", l.Name, "error", err)
		return false
	}
	d.Metrics.Parked(l.Record.Name)
	d.Log.ErrorContext(ctx, "event parked: see stoa events", "event", l.ID, "name", l.Record.Name, "lane", l.Name, "error", cause)
	return true
}

// Revived returns what a dead letter is about, to be stored in a queue that somebody reads
// soon.
func (l DeadLetter) Revived() Lane {
	revived := l.Lane
	revived.Shard = int(hash(l.ID) % formerShards)
	return revived
}
