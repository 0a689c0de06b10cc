package outbox

import (
	"context"
	"time"
)

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
