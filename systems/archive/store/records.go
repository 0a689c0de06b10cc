package store

import (
	"context"
	"slices"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/kit/together"
	"stoa/systems/archive"
)

// Records stores records and households.
type Records struct{ Reader }

// Record returns a record by its id, or nil if it does not exist.
func (s *Records) Record(ctx context.Context, id archive.ID) (*archive.Record, error) {
	item, err := one(ctx, s.db, records.Begins(keyspec.Primary, id.String()))
	if item == nil || err != nil {
		return nil, err
	}
	return item.record(), nil
}

// Several returns records by their ids, which it reads concurrently.
func (s *Records) Several(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Record, error) {
	return several(ctx, ids, s.Record)
}

// several reads things one by one, some concurrently: their keys hold more than their ids, so
// each takes a query.
func several[N any](ctx context.Context, ids []archive.ID, read func(context.Context, archive.ID) (*N, error)) (map[archive.ID]*N, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	all := make([]*N, len(ids))
	memo := archive.MemoFrom(ctx)
	err := together.Each(ctx, len(ids), archive.MaxReads, func(ctx context.Context, i int) error {
		return memo.Read(func() (err error) {
			all[i], err = read(ctx, ids[i])
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	m := make(map[archive.ID]*N, len(ids))
	for i, id := range ids {
		if all[i] != nil {
			m[id] = all[i]
		}
	}
	return m, nil
}

// OfPost returns the records of a post ordered by id, from gsi_sk_altSort.
func (s *Records) OfPost(ctx context.Context, post archive.ID, q page.Query) (page.Page[*archive.Record], error) {
	return list(ctx, s.db, records.Begins(BySort, post.String()), q, (*recordItem).record)
}

// From returns at most n records of a post, starting at an id.
func (s *Records) From(ctx context.Context, post, id archive.ID, n int) ([]*archive.Record, error) {
	items, _, err := records.Begins(BySort, post.String()).From(id.Padded()).Page(ctx, s.db, keyspec.Page{Limit: n})
	if err != nil {
		return nil, err
	}
	all := make([]*archive.Record, len(items))
	for i := range items {
		all[i] = items[i].record()
	}
	return all, nil
}

// Households returns the households of a post ordered by number.
func (s *Records) Households(ctx context.Context, post archive.ID, q page.Query) (page.Page[*archive.Household], error) {
	return list(ctx, s.db, households.Begins(keyspec.Primary, post.String()), q, (*householdItem).household)
}

// HouseholdsNumbered returns the households with a number ordered by post, from
// gsi_sk_altSort.
func (s *Records) HouseholdsNumbered(ctx context.Context, number string, q page.Query) (page.Page[*archive.Household], error) {
	return list(ctx, s.db, households.Begins(BySort, number), q, (*householdItem).household)
}

// HouseholdsFrom returns at most n households with a number, starting at a post, and whether
// there are more.
func (s *Records) HouseholdsFrom(ctx context.Context, number string, post archive.ID, n int) (all []*archive.Household, more bool, err error) {
	items, next, err := households.Begins(BySort, number).From(post.Padded()).Page(ctx, s.db, keyspec.Page{Limit: n})
	if err != nil {
		return nil, false, err
	}
	all = make([]*archive.Household, len(items))
	for i := range items {
		all[i] = items[i].household()
	}
	return all, next != "", nil
}

// inPost requires that a post is as it was read.
func inPost(tx *keyspec.Tx, p *archive.Post) {
	posts.Update(tx, postKey(p.ID)).If(asRead, p.LastUpdateTime)
}

// Create stores a record in a post, which must be as read.
func (s *Records) Create(ctx context.Context, p *archive.Post, r *archive.Record) error {
	item := recordItemOf(r)
	tx := s.db.NewTx()
	records.Create(tx, item)
	recordCounts.Moved(tx, nil, &item)
	inPost(tx, p)
	return stored.Outcome(tx.Run(ctx))
}

// Edit stores an edited record, which must be as read.
func (s *Records) Edit(ctx context.Context, p *archive.Post, before, after *archive.Record) error {
	tx := s.db.NewTx()
	records.Change(tx, recordItemOf(before), recordItemOf(after)).If(asRead, before.LastUpdateTime)
	inPost(tx, p)
	return stored.Outcome(tx.Run(ctx))
}

// Delete deletes a record, which must be as read, and removes it from the household that
// may list it: from is the household as read, nil if there is none, and to the household
// after that, nil if no record is left.
func (s *Records) Delete(ctx context.Context, p *archive.Post, r *archive.Record, from, to *archive.Household) error {
	item := recordItemOf(r)
	tx := s.db.NewTx()
	w := records.Delete(tx, recordKey(r.Ref())).Exists()
	if ref, ok := r.HouseholdRef(); ok {
		w.If("household = ?", ref.Number)
		rewrite(tx, ref, from, to)
	} else {
		w.If("attribute_not_exists(household)")
	}
	recordCounts.Moved(tx, &item, nil)
	inPost(tx, p)
	return stored.Outcome(tx.Run(ctx))
}

// rewrite replaces a household, which must be as read; nil means that it does not exist.
func rewrite(tx *keyspec.Tx, ref archive.HouseholdRef, from, to *archive.Household) {
	switch key := householdKey(ref); {
	case from == nil && to == nil:
		households.Check(tx, key).Absent()
	case from == nil:
		households.Create(tx, householdItemOf(to))
	case to == nil:
		households.Delete(tx, key).If(unchanged, from.LastUpdateTime, from.RecordIDs)
	case to == from:
		households.Check(tx, key).If(unchanged, from.LastUpdateTime, from.RecordIDs)
	default:
		households.Put(tx, householdItemOf(to)).If(unchanged, from.LastUpdateTime, from.RecordIDs)
	}
}

// unchanged also compares the list: a household that was deleted and created again may have
// the same time.
const unchanged = asRead + " AND records = ?"

// entry is a record to be added to a household.
type entry = archive.HouseholdEntry

// SetHousehold replaces a household that was read, nil if there was none. Added records no
// longer refer to the households that might have listed them, which must not do so.
func (s *Records) SetHousehold(ctx context.Context, p *archive.Post, from, to *archive.Household, entries []entry) error {
	tx := s.db.NewTx()
	rewrite(tx, to.Ref(), from, to)
	checked := map[string]bool{to.Number: true}
	for _, e := range entries {
		u := records.Update(tx, recordKey(e.Record.Ref()))
		ref, had := e.Record.HouseholdRef()
		if !had {
			u.Set("household", to.Number).If("attribute_not_exists(household)")
			continue
		}
		u.Set("household", to.Number).If("household = ?", ref.Number)
		if !checked[ref.Number] {
			checked[ref.Number] = true
			rewrite(tx, ref, e.Other, e.Other)
		}
	}
	inPost(tx, p)
	return stored.Outcome(tx.Run(ctx))
}

// DeleteHousehold deletes a household, which must be as read.
func (s *Records) DeleteHousehold(ctx context.Context, p *archive.Post, h *archive.Household) error {
	tx := s.db.NewTx()
	rewrite(tx, h.Ref(), h, nil)
	inPost(tx, p)
	return stored.Outcome(tx.Run(ctx))
}

// Write stores records and households, replacing existing ones.
func (s *Records) Write(ctx context.Context, all []*archive.Record, lists []*archive.Household) error {
	n := len(all) + len(lists)
	part := (n/writtenAtOnce/keyspec.MaxBulk + 1) * keyspec.MaxBulk
	var work []together.Work
	for from := 0; from < n; from += part {
		work = append(work, func(ctx context.Context) error {
			b := s.db.NewBulk()
			for i := from; i < min(from+part, n); i++ {
				if i < len(all) {
					records.PutIn(b, recordItemOf(all[i]))
				} else {
					households.PutIn(b, householdItemOf(lists[i-len(all)]))
				}
			}
			return b.Run(ctx)
		})
	}
	return together.Do(ctx, work...)
}

// writtenAtOnce is the number of parts written concurrently.
const writtenAtOnce = 4

// wiped is the number of items that Wipe deletes at a time.
const wiped = 1000

// Wipe deletes households and then records of a post, about a thousand of them. It returns
// the number of records deleted and whether there may be more.
func (s *Records) Wipe(ctx context.Context, post archive.ID) (gone int, more bool, err error) {
	b := s.db.NewBulk()
	lists, next, err := households.Begins(keyspec.Primary, post.String()).Page(ctx, s.db, keyspec.Page{Limit: wiped})
	if err != nil {
		return 0, false, err
	}
	for i := range lists {
		households.DeleteIn(b, households.KeyOf(&lists[i]))
	}
	if next != "" {
		return 0, true, b.Run(ctx)
	}
	rows, next, err := records.Begins(BySort, post.String()).Page(ctx, s.db, keyspec.Page{Limit: wiped})
	if err != nil {
		return 0, false, err
	}
	for i := range rows {
		records.DeleteIn(b, records.KeyOf(&rows[i]))
	}
	return len(rows), next != "", b.Run(ctx)
}

// Count returns the number of records of a post.
func (s *Records) Count(ctx context.Context, post archive.ID) (n int, err error) {
	for _, err := range records.Begins(BySort, post.String()).All(ctx, s.db) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
