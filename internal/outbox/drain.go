package outbox

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

// Drain delivers all pending events but those of other processes, including those that failed
// lately and those added meanwhile. It returns the failures, after one attempt for each
// event.
func (d *Dispatcher) Drain(ctx context.Context) error {
	failed := &failures{by: map[string]error{}}
	ctx = context.WithValue(ctx, failuresKey{}, failed)
	d.running.Wait()
	if err := d.readAll(ctx); err != nil {
		return err
	}
	for {
		d.turns.resumeAll(failed.lacks)
		worked := false
		for ctx.Err() == nil {
			j := d.turns.next()
			if j == nil {
				break
			}
			d.turns.step(ctx, j)
			worked = true
		}
		d.running.Wait()
		if !worked {
			break
		}
	}
	return errors.Join(d.removeDelivered(ctx), ctx.Err(), failed.all())
}

// readAll reads the shards that no other process owns.
func (d *Dispatcher) readAll(ctx context.Context) error {
	roster, err := d.Store.Roster(ctx)
	if err != nil {
		return err
	}
	self := d.owner.fence()
	others := map[string]bool{}
	for _, m := range roster.Members {
		others[m.ID] = m.ID != self
	}
	for shard := range Shards {
		if shard < len(roster.Owners) && others[roster.Owners[shard]] {
			continue
		}
		if err := d.read(ctx, shard); err != nil {
			return err
		}
	}
	return nil
}

// failures are those of one Drain.
type failures struct {
	mu sync.Mutex
	by map[string]error
}

type failuresKey struct{}

// report tells the Drain of ctx, if any, of a failure.
func report(ctx context.Context, id string, err error) {
	if f, _ := ctx.Value(failuresKey{}).(*failures); f != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.by[id] = err
	}
}

func (f *failures) lacks(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.by[id] == nil
}

func (f *failures) all() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(f.by)) {
		errs = append(errs, f.by[id])
	}
	return errors.Join(errs...)
}
