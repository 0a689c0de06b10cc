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

// ending is how long deliveries may still take when Run ends. A store that does not respond
// must not keep a process from ending: the events are stored.
const ending = 5 * time.Second

// Run delivers events in the background until ctx is done. It then waits for deliveries to
// end, and releases the shards of this process.
func (d *Dispatcher) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { d.turns.work(ctx) })
	}
	all.Go(func() { d.own(ctx) })
	all.Go(func() { d.tidy(ctx) })
	all.Go(func() { d.poll(ctx) })
	all.Wait()
	giveUp := time.AfterFunc(ending, d.abort)
	d.running.Wait()
	giveUp.Stop()
	if err := d.removeDelivered(ctx); err != nil {
		d.Log.ErrorContext(ctx, "removing delivered events failed", "error", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removal)
	defer cancel()
	if err := d.owner.resign(ctx); err != nil {
		d.Log.ErrorContext(ctx, "giving back shards failed", "error", err)
	}
}

// own keeps the shards of this process, and reads those it takes over.
func (d *Dispatcher) own(ctx context.Context) {
	var reading sync.WaitGroup
	defer reading.Wait()
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		taken, err := d.tick(ctx)
		switch {
		case errors.Is(err, ErrNotOwner):
			continue // and join again
		case err != nil && ctx.Err() == nil:
			d.Log.ErrorContext(ctx, "dividing the events among processes failed; retrying", "error", err)
		case len(taken) > 0:
			reading.Go(func() { d.takeOver(ctx, taken) })
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// tick is ownership.tick. If all shards were lost, it drops what waits.
func (d *Dispatcher) tick(ctx context.Context) (taken []int, err error) {
	taken, err = d.owner.tick(ctx, d.isIdle)
	if errors.Is(err, ErrNotOwner) {
		d.Log.WarnContext(ctx, "another process has taken over the events of this one, which did not respond")
		d.lose()
	}
	if err == nil && d.owner.hasStrayed() {
		d.doubt(d.owner.shards()...)
	}
	return taken, err
}

// lose drops what waits, which another process delivers.
func (d *Dispatcher) lose() {
	d.owner.lose()
	d.turns.clear()
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, dl := range d.begun {
		if !dl.running && !dl.ended {
			d.forget(id)
		}
	}
	for id, o := range d.lanes {
		delete(d.lanes, id)
		d.load[o.Shard]--
	}
}

// isIdle reports whether nothing of a shard waits.
func (d *Dispatcher) isIdle(shard int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.load[shard] == 0
}

// readers is how many shards are read at a time.
const readers = 8

// takeOver reads shards until each has been read.
func (d *Dispatcher) takeOver(ctx context.Context, shards []int) {
	ctx, cancel := d.owner.until(ctx)
	defer cancel()
	left := make(chan int, len(shards))
	for _, shard := range shards {
		left <- shard
	}
	close(left)
	var all sync.WaitGroup
	for range min(readers, len(shards)) {
		all.Go(func() {
			for shard := range left {
				for d.owner.owns(shard) {
					err := d.read(ctx, shard)
					if err == nil || ctx.Err() != nil {
						break
					}
					d.Log.ErrorContext(ctx, "reading events failed; retrying", "shard", shard, "error", err)
					pause(ctx, time.Second)
				}
			}
		})
	}
	all.Wait()
}

// read adds what is stored in a shard to what waits.
func (d *Dispatcher) read(ctx context.Context, shard int) error {
	for q := (page.Query{First: batch}); ; {
		lanes, err := d.Store.Lanes(ctx, shard, q)
		if err != nil {
			return err
		}
		for _, l := range lanes.Items {
			d.laneWaits(l, d.recovered(l.Record), false)
		}
		if q.After = lanes.Next; q.After == "" {
			break
		}
	}
	for q := (page.Query{First: batch}); ; {
		events, err := d.Store.Pending(ctx, shard, q)
		if err != nil {
			return err
		}
		for _, r := range events.Items {
			d.eventWaits(r)
		}
		if q.After = events.Next; q.After == "" {
			return nil
		}
	}
}

// eventWaits adds the job of a stored event, unless it is being delivered.
func (d *Dispatcher) eventWaits(r Record) {
	d.mu.Lock()
	known := d.begun[r.ID] != nil
	if !known {
		d.waits(r, d.recovered(r))
	}
	d.mu.Unlock()
	if !known {
		d.turns.add(d.eventJob(r))
	}
}

// poll resumes what is due, and looks for strays every other time.
func (d *Dispatcher) poll(ctx context.Context) {
	tick := time.NewTicker(d.Poll)
	defer tick.Stop()
	for odd := true; ; odd = !odd {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		d.turns.resume(d.Now())
		if err := d.readDoubtful(ctx); err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "looking for events of failed transactions failed; retrying", "error", err)
		}
		if odd {
			continue
		}
		if err := d.look(ctx); err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "looking for events failed; retrying later", "error", err)
		}
	}
}

// doubt is how long after the failure of a transaction its events are looked for: what was under
// way then has been carried out.
const doubt = 2 * time.Second

// Doubt checks later whether the events of a failed transaction were stored after all: the store
// may have committed it although its response was lost. Otherwise they would be found as strays,
// which may take minutes.
func (d *Dispatcher) Doubt(records ...Record) {
	for _, r := range records {
		d.doubt(r.Shard)
	}
}

// doubt has shards read later, which may have events that this process does not know.
func (d *Dispatcher) doubt(shards ...int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, shard := range shards {
		d.doubtful[shard] = d.Now().Add(doubt)
	}
}

// readDoubtful reads the shards of doubtful events. Those of other processes are looked for by
// them.
func (d *Dispatcher) readDoubtful(ctx context.Context) error {
	now := d.Now()
	var due []int
	d.mu.Lock()
	for shard, at := range d.doubtful {
		if !at.After(now) {
			due = append(due, shard)
			delete(d.doubtful, shard)
		}
	}
	d.mu.Unlock()
	for i, shard := range due {
		if !d.owner.owns(shard) {
			continue
		}
		if err := d.read(ctx, shard); err != nil {
			d.mu.Lock()
			for _, left := range due[i:] {
				d.doubtful[left] = now
			}
			d.mu.Unlock()
			return err
		}
	}
	return nil
}

// look looks for strays: events of processes that own no shard, and events committed in a
// shard after it was given away, whose process has died before it could deliver them. It
// makes one call, for one of the shards of this process of which nothing waits. What two
// looks in a row find is a stray. Shards of versions before, whose processes do not tell when
// they die, get every other look.
func (d *Dispatcher) look(ctx context.Context) error {
	d.looking.Lock()
	defer d.looking.Unlock()
	shard, lanes, ok := d.nextLook()
	if !ok || !d.isIdle(shard) {
		return nil
	}
	found := map[string]bool{}
	q := page.Query{First: batch}
	if lanes {
		all, err := d.Store.Lanes(ctx, shard, q)
		if err != nil {
			return err
		}
		for _, l := range all.Items {
			found[l.id()] = true
		}
	} else {
		all, err := d.Store.Pending(ctx, shard, q)
		if err != nil {
			return err
		}
		for _, r := range all.Items {
			found[r.ID] = true
		}
	}
	queue := fmt.Sprint(shard, lanes)
	before := d.strays[queue]
	d.strays[queue] = found
	for id := range found {
		if before[id] && d.isIdle(shard) {
			delete(d.strays, queue)
			return d.read(ctx, shard)
		}
	}
	return nil
}

func (d *Dispatcher) nextLook() (shard int, lanes, ok bool) {
	own := d.owner.shards()
	former := 0
	for former < len(own) && own[former] < formerShards {
		former++
	}
	n := d.looked
	d.looked++
	from := own[former:]
	if n%2 == 0 && former > 0 || len(from) == 0 {
		from = own[:former]
	}
	if len(from) == 0 {
		return 0, false, false
	}
	n /= 2
	return from[n/2%len(from)], n%2 == 1, true
}

// gather is how long a delivered event waits to be removed together with others: a removal
// costs a write and a sync, however many events it removes. Events that a crash keeps from
// being removed are delivered again.
const gather = 200 * time.Millisecond

// remove schedules the removal of a delivered event.
func (d *Dispatcher) remove(r Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delivered = append(d.delivered, r)
	switch len(d.delivered) {
	case 1:
		time.AfterFunc(gather, d.nudge)
	case batch:
		d.nudge()
	}
}

// nudge wakes up tidy. It has no effect if a wake-up is already pending.
func (d *Dispatcher) nudge() {
	select {
	case d.nudged <- struct{}{}:
	default:
	}
}

// tidy removes delivered events.
func (d *Dispatcher) tidy(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.nudged:
		}
		if err := d.removeDelivered(ctx); err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "removing delivered events failed; retrying", "error", err)
			time.AfterFunc(time.Second, d.nudge)
		}
	}
}

// removal is the timeout of removing a batch of events.
const removal = 5 * time.Second

// removeDelivered removes delivered events, even if the process is shutting down. It needs no
// right to their shards: who has delivered an event may remove it.
func (d *Dispatcher) removeDelivered(ctx context.Context) error {
	d.removing.Lock()
	defer d.removing.Unlock()
	for {
		d.mu.Lock()
		done := d.delivered[:min(batch, len(d.delivered))]
		d.mu.Unlock()
		if len(done) == 0 {
			return nil
		}
		if err := d.removeBatch(ctx, done); err != nil {
			return fmt.Errorf("remove delivered events: %w", err)
		}
		d.mu.Lock()
		for _, r := range done {
			d.forget(r.ID)
		}
		if d.delivered = d.delivered[len(done):]; len(d.delivered) == 0 {
			d.delivered = nil
		}
		d.mu.Unlock()
	}
}

func (d *Dispatcher) removeBatch(ctx context.Context, done []Record) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removal)
	defer cancel()
	return d.Store.Done(ctx, done)
}

// Backlog is what a process has yet to deliver.
type Backlog struct {
	Events, Lanes int
	// Oldest is the time of the oldest event among them, or zero.
	Oldest time.Time
}

// Backlog returns what this process has yet to deliver.
func (d *Dispatcher) Backlog() (b Backlog) {
	d.mu.Lock()
	defer d.mu.Unlock()
	note := func(at time.Time) {
		if b.Oldest.IsZero() || at.Before(b.Oldest) {
			b.Oldest = at
		}
	}
	for _, dl := range d.begun {
		if !dl.ended {
			b.Events++
			note(dl.since)
		}
	}
	for _, o := range d.lanes {
		b.Lanes++
		note(o.At)
	}
	return b
}
