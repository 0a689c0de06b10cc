package place

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/together"
	"stoa/systems/archive"
)

// Loaded is the result of a load. The other places existed already.
type Loaded struct{ Places, New, Changed int }

// blockPlaces is the number of places of a file stored at a time.
const blockPlaces = 500

// LoadFile loads a gazetteer: its places replace those with the same ids, and the words of
// their names are added. The whole file is read before anything is stored. An interrupted
// load may be repeated: it skips what exists.
//
// progress is called with the number of places that are done.
func (s *Service) LoadFile(ctx context.Context, file io.ReadSeeker, progress func(done int)) (Loaded, error) {
	if err := eachBlock(file, func([]*archive.Place) error { return ctx.Err() }); err != nil {
		return Loaded{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Loaded{}, err
	}
	defer s.memory.forget()
	var all Loaded
	err := eachBlock(file, func(rows []*archive.Place) error {
		l, err := s.loadBlock(ctx, rows)
		all.Places, all.New, all.Changed = all.Places+l.Places, all.New+l.New, all.Changed+l.Changed
		if err == nil {
			progress(all.Places)
		}
		return err
	})
	return all, err
}

// eachBlock calls do for each block of a file.
func eachBlock(file io.Reader, do func(rows []*archive.Place) error) error {
	g, err := archive.OpenGazetteer(file)
	if err != nil {
		return err
	}
	var rows []*archive.Place
	for {
		p, err := g.Next()
		if errors.Is(err, io.EOF) {
			return do(rows)
		}
		if err != nil {
			return err
		}
		if rows = append(rows, p); len(rows) == blockPlaces {
			if err := do(rows); err != nil {
				return err
			}
			rows = nil
		}
	}
}

// loadBlock stores words before the places that they name, so that an existing place has
// its words.
func (s *Service) loadBlock(ctx context.Context, rows []*archive.Place) (Loaded, error) {
	ids := slice.Map(rows, func(p *archive.Place) archive.ID { return p.ID })
	before, err := s.Store.Copies(ctx, ids)
	if err != nil {
		return Loaded{}, err
	}
	var changes archive.WordChanges
	for _, p := range rows {
		if old := before[p.ID]; len(old) == 0 {
			changes.Replace(nil, p)
		} else if !same(old, p) {
			for _, o := range old {
				changes.Replace(o, p)
			}
		}
	}
	if len(changes.Words()) > 0 {
		words, err := s.Store.Words(ctx, changes.Words())
		if err != nil {
			return Loaded{}, err
		}
		made, err := changes.Made(words)
		if err != nil {
			return Loaded{}, err
		}
		if err := s.Store.LoadWords(ctx, made, s.Now()); err != nil {
			return Loaded{}, err
		}
	}
	return s.replace(ctx, before, rows)
}

// same reports whether a place is what is stored of it.
func same(copies []*archive.Place, p *archive.Place) bool {
	return len(copies) == 1 && copies[0].Same(p)
}

// replace stores places, replacing those that were read, by id.
func (s *Service) replace(ctx context.Context, before map[archive.ID][]*archive.Place, rows []*archive.Place) (Loaded, error) {
	var fresh []*archive.Place
	var work []together.Work
	for _, p := range rows {
		switch old := before[p.ID]; {
		case len(old) == 0:
			p.Stamps = archive.StampsAt(s.Now())
			fresh = append(fresh, p)
		case !same(old, p):
			work = append(work, func(ctx context.Context) error { return s.replaceOne(ctx, old, p) })
		}
	}
	if err := together.Do(ctx, work...); err != nil {
		return Loaded{}, err
	}
	return Loaded{len(rows), len(fresh), len(work)}, s.Store.LoadNew(ctx, fresh)
}

// replaceOne stores a place, replacing copies that were read.
func (s *Service) replaceOne(ctx context.Context, read []*archive.Place, after *archive.Place) error {
	return decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		before := read
		if read = nil; before == nil {
			copies, err := s.Store.Copies(ctx, []archive.ID{after.ID})
			if err != nil {
				return err
			}
			before = copies[after.ID]
		}
		after.Stamps = archive.StampsAt(s.Now())
		if len(before) > 0 {
			after.Stamps = last(before).Stamps
			after.Touch(s.Now())
		}
		return s.Store.Load(ctx, before, after)
	})
}

// unify removes all but the last copies of new places, which somebody else may have loaded
// meanwhile under names that begin differently. Whoever stored one last sees all.
func (s *Service) unify(ctx context.Context, ids []archive.ID) error {
	copies, err := s.Store.Copies(ctx, ids)
	for id, some := range copies {
		if len(some) < 2 || err != nil {
			continue
		}
		err = decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
			copies, err := s.Store.Copies(ctx, []archive.ID{id})
			if some := copies[id]; err == nil && len(some) > 1 {
				return s.Store.Load(ctx, some, last(some))
			}
			return err
		})
	}
	return err
}

// last returns the copy of a place that was stored last.
func last(copies []*archive.Place) *archive.Place {
	return slices.MaxFunc(copies, func(a, b *archive.Place) int {
		return cmp.Or(a.LastUpdateTime.Compare(b.LastUpdateTime), cmp.Compare(a.Lower(), b.Lower()))
	})
}
