package ops

import (
	"context"
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/outbox"
)

// Outbox stores events from the transaction of the change until they are delivered, and the
// cursors of fan-outs.
type Outbox struct{ db *keyspec.DB }

// Pending returns the events of a shard, ordered by time.
func (s *Outbox) Pending(ctx context.Context, shard int, q page.Query) (page.Page[outbox.Record], error) {
	return stored.List(ctx, s.db, events.Begins(keyspec.Primary, strconv.Itoa(shard)), q, false, (*eventItem).record)
}

// Done removes delivered events of a shard, ignoring those already removed.
func (s *Outbox) Done(ctx context.Context, shard int, done []outbox.Record) error {
	b := s.db.NewBulk()
	for _, r := range done {
		item := eventItemOf(r)
		item.Shard = strconv.Itoa(shard)
		events.DeleteIn(b, events.KeyOf(&item))
	}
	return b.Run(ctx)
}

// Lanes returns the lanes of a shard, ordered by the times of their events.
func (s *Outbox) Lanes(ctx context.Context, shard int, q page.Query) (page.Page[outbox.Lane], error) {
	return stored.List(ctx, s.db, lanes.Begins(keyspec.Primary, strconv.Itoa(shard)), q, false, (*laneItem).lane)
}

// OpenLane stores a lane unless it exists.
func (s *Outbox) OpenLane(ctx context.Context, l outbox.Lane) error {
	tx := s.db.NewTx()
	put := lanes.Create(tx, laneItemOf(l))
	if err := tx.Run(ctx); !keyspec.Refused(err, put) {
		return err
	}
	return nil
}

// AdvanceLane stores the cursor of a lane if the lane exists.
func (s *Outbox) AdvanceLane(ctx context.Context, l outbox.Lane, cursor string) error {
	tx := s.db.NewTx()
	update := lanes.Update(tx, laneKey(l)).Set("cursor", cursor)
	if err := tx.Run(ctx); !keyspec.Refused(err, update) {
		return err
	}
	return nil
}

// CloseLane removes a lane if it exists.
func (s *Outbox) CloseLane(ctx context.Context, l outbox.Lane) error {
	tx := s.db.NewTx()
	lanes.Delete(tx, laneKey(l))
	return tx.Run(ctx)
}

func laneItemOf(l outbox.Lane) laneItem {
	return laneItem{eventItem: eventItemOf(l.Record), Lane: l.Name, Cursor: l.Cursor}
}

func laneKey(l outbox.Lane) keyspec.Key {
	item := laneItemOf(l)
	return lanes.KeyOf(&item)
}
