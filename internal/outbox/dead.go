package outbox

import (
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

// isHopeless reports whether it is time to give an event up.
func (b backoff) isHopeless(now time.Time) bool {
	return b.attempts >= hopelessAttempts && now.Sub(b.first) >= hopeless
}

// park moves an event or a lane to the dead letters, and reports whether it did.
func (d *Dispatcher) park(ctx context.Context, l Lane, b backoff, cause error) bool {
	dead := DeadLetter{Lane: l, At: d.Now(), Attempts: b.attempts, Error: cause.Error()}
	if err := d.Store.Park(ctx, d.owner.fence(), dead); err != nil {
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
