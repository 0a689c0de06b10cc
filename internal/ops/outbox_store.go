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

// Done removes delivered events, ignoring those already removed.
func (s *Outbox) Done(ctx context.Context, done []outbox.Record) error {
	b := s.db.NewBulk()
	for _, r := range done {
		events.DeleteIn(b, eventKey(r))
	}
	return b.Run(ctx)
}

// Lanes returns the lanes of a shard, ordered by the times of their events.
func (s *Outbox) Lanes(ctx context.Context, shard int, q page.Query) (page.Page[outbox.Lane], error) {
	return stored.List(ctx, s.db, lanes.Begins(keyspec.Primary, strconv.Itoa(shard)), q, false, (*laneItem).lane)
}

// OpenLane stores a lane unless it exists.
func (s *Outbox) OpenLane(ctx context.Context, member string, l outbox.Lane) error {
	tx := s.db.NewTx()
	put := lanes.Create(tx, laneItemOf(l))
	if err := asMember(ctx, tx, member); !keyspec.Refused(err, put) {
		return err
	}
	return nil
}

// AdvanceLane stores the cursor of a lane if the lane exists.
func (s *Outbox) AdvanceLane(ctx context.Context, member string, l outbox.Lane, cursor string) error {
	tx := s.db.NewTx()
	update := lanes.Update(tx, laneKey(l)).Set("cursor", cursor)
	if err := asMember(ctx, tx, member); !keyspec.Refused(err, update) {
		return err
	}
	return nil
}

// CloseLane removes a lane if it exists.
func (s *Outbox) CloseLane(ctx context.Context, member string, l outbox.Lane) error {
	tx := s.db.NewTx()
	lanes.Delete(tx, laneKey(l))
	return asMember(ctx, tx, member)
}

// StoreFailures stores the failures of an event or a lane that exists.
func (s *Outbox) StoreFailures(ctx context.Context, member string, l outbox.Lane) error {
	tx := s.db.NewTx()
	var update keyspec.Update
	if l.Name == "" {
		update = events.Update(tx, eventKey(l.Record))
	} else {
		update = lanes.Update(tx, laneKey(l))
	}
	update.Set("attempts", l.Failures.Attempts).Set("failedAt", l.Failures.First).Set("error", l.Failures.Last)
	if err := asMember(ctx, tx, member); !keyspec.Refused(err, update) {
		return err
	}
	return nil
}

// asMember runs a transaction if the member is there, or is "".
func asMember(ctx context.Context, tx *keyspec.Tx, member string) error {
	if member == "" {
		return tx.Run(ctx)
	}
	check := processes.Check(tx, processes.Key(member)).Exists()
	err := tx.Run(ctx)
	if keyspec.Refused(err, check) {
		return outbox.ErrNotOwner
	}
	return err
}

// Park moves an event or a lane to the dead letters.
func (s *Outbox) Park(ctx context.Context, member string, d outbox.DeadLetter) error {
	tx := s.db.NewTx()
	deadLetters.Put(tx, deadItemOf(d))
	if d.Name == "" {
		events.Delete(tx, eventKey(d.Record))
	} else {
		lanes.Delete(tx, laneKey(d.Lane))
	}
	return asMember(ctx, tx, member)
}

// DeadLetters returns the dead letters.
func (s *Outbox) DeadLetters(ctx context.Context, q page.Query) (page.Page[outbox.DeadLetter], error) {
	return stored.List(ctx, s.db, deadLetters.Begins(keyspec.Primary), q, false, (*deadItem).letter)
}

// DeadLetter returns a dead letter, or nil.
func (s *Outbox) DeadLetter(ctx context.Context, letter string) (*outbox.DeadLetter, error) {
	item, err := deadLetters.Get(ctx, s.db, deadLetters.Key(letter))
	if item == nil || err != nil {
		return nil, err
	}
	d := item.letter()
	return &d, nil
}

// Retry makes a dead letter an event or lane again, and reports whether it was there.
func (s *Outbox) Retry(ctx context.Context, d outbox.DeadLetter) (bool, error) {
	return s.revive(ctx, d, func(*keyspec.Tx) {})
}

// revive is Retry, with something else in its transaction.
func (s *Outbox) revive(ctx context.Context, d outbox.DeadLetter, with func(*keyspec.Tx)) (bool, error) {
	tx := s.db.NewTx()
	with(tx)
	gone := deadLetters.Delete(tx, deadLetters.Key(d.Letter)).Exists()
	if l := d.Revived(); l.Name == "" {
		events.Create(tx, eventItemOf(l.Record))
	} else {
		lanes.Create(tx, laneItemOf(l))
	}
	err := tx.Run(ctx)
	if keyspec.Refused(err, gone) {
		return false, nil
	}
	return err == nil, err
}

// Drop removes a dead letter, and reports whether it was there.
func (s *Outbox) Drop(ctx context.Context, letter string) (bool, error) {
	tx := s.db.NewTx()
	gone := deadLetters.Delete(tx, deadLetters.Key(letter)).Exists()
	err := tx.Run(ctx)
	if keyspec.Refused(err, gone) {
		return false, nil
	}
	return err == nil, err
}

// Roster returns the processes that deliver events, and the shards that they own.
func (s *Outbox) Roster(ctx context.Context) (r outbox.Roster, err error) {
	err = s.db.Partition(ctx, "processes",
		processes.Each(func(i processItem) { r.Members = append(r.Members, memberOf(i)) }),
		owners.Each(func(i ownersItem) { r.Version, r.Owners = i.Version, i.Owners }),
	)
	return r, err
}

// Beat stores a new process or the beat of one that is there, and reports whether it was as
// expected.
func (s *Outbox) Beat(ctx context.Context, m outbox.Member, isNew bool) (bool, error) {
	tx := s.db.NewTx()
	put := processes.Put(tx, processItemOf(m))
	if isNew {
		put.Absent()
	} else {
		put.Exists()
	}
	err := tx.Run(ctx)
	if keyspec.Refused(err, put) {
		return false, nil
	}
	return err == nil, err
}

// Assign replaces the owners of a version and removes processes, unless any of that has
// changed.
func (s *Outbox) Assign(ctx context.Context, member string, version int64, next []string, gone []outbox.Member) (bool, error) {
	tx := s.db.NewTx()
	put := owners.Put(tx, ownersItem{Version: version + 1, Owners: next})
	if version == 0 {
		put.Absent()
	} else {
		put.If("version = ?", version)
	}
	resigns := false
	for _, m := range gone {
		processes.Delete(tx, processes.Key(m.ID)).If("beat = ?", m.Beat)
		resigns = resigns || m.ID == member
	}
	if resigns {
		member = ""
	}
	err := asMember(ctx, tx, member)
	if stored.IsConflict(err) {
		return false, nil
	}
	return err == nil, err
}

func eventKey(r outbox.Record) keyspec.Key {
	item := eventItemOf(r)
	return events.KeyOf(&item)
}

func laneItemOf(l outbox.Lane) laneItem {
	return laneItem{eventItem: eventItemOf(l.Record), Lane: l.Name, Cursor: l.Cursor}
}

func laneKey(l outbox.Lane) keyspec.Key {
	item := laneItemOf(l)
	return lanes.KeyOf(&item)
}
