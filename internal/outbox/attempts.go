package outbox

import (
	"context"
	"errors"
	"time"
)

// Failures are failed attempts to deliver an event, or to make the next step of a lane. They are
// stored from the fourth on, so that it can be given up even if its owner changes all the time.
type Failures struct {
	Attempts int
	// First is when the first one failed, by the clock of its process, and Last the error of the
	// last one.
	First time.Time
	Last  string
}

// storedFrom is the number of attempts from which failures are stored: most are followed by a
// success, and need no write.
const storedFrom = 4

// storeFailures stores the failures of an event, or of a lane. If that fails, a new owner begins
// to count at what is stored.
func (d *Dispatcher) storeFailures(ctx context.Context, member string, l Lane, b backoff) {
	if b.attempts < storedFrom {
		return
	}
	l.Failures = Failures{Attempts: b.attempts, First: b.first, Last: b.failure}
	if err := d.Store.StoreFailures(ctx, member, l); err != nil && !errors.Is(err, ErrNotOwner) {
		d.Log.WarnContext(ctx, "failed attempts are not stored", "event", l.ID, "name", l.Record.Name, "lane", l.Name, "error", err)
	}
}

// backoff returns the state that goes on where earlier owners have ended. The next attempt is due.
func (f Failures) backoff() backoff {
	return backoff{attempts: f.Attempts, failure: f.Last, first: f.First}
}

// Failing returns how many attempts of this process to deliver an event have failed, and why
// the last one did. Both are zero for an event that does not wait in this process.
func (d *Dispatcher) Failing(id string) (attempts int, failure string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dl := d.begun[id]; dl != nil {
		return dl.attempts, dl.failure
	}
	return 0, ""
}

// Retry makes an event that waits in this process due at once, and reports whether it does
// wait here.
func (d *Dispatcher) Retry(id string) bool {
	d.mu.Lock()
	dl := d.begun[id]
	waits := dl != nil && !dl.ended
	d.mu.Unlock()
	if waits {
		d.turns.resumeAll(func(late string) bool { return late == id })
	}
	return waits
}

// ClockDifferences returns how far the clocks of other processes are ahead of the clock of this
// one, by the id of the member; of those that have been seen twice.
func (d *Dispatcher) ClockDifferences() map[string]time.Duration { return d.owner.clockDifferences() }

// End waits for deliveries of what was committed after Run had ended, and aborts those that
// take too long: the events are stored.
func (d *Dispatcher) End() {
	giveUp := time.AfterFunc(ending, d.abort)
	defer giveUp.Stop()
	d.running.Wait()
}

// Current returns the event that the receiver of ctx has been called with, or false outside of
// receivers.
func Current(ctx context.Context) (Record, bool) {
	r := runOf(ctx)
	if r == nil {
		return Record{}, false
	}
	return r.now().Record, true
}
