package record

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"stoa/internal/kit/together"
	"stoa/systems/archive"
)

// step processes a chunk and advances p past it.
func (s *Service) step(ctx context.Context, post *archive.Post, c *archive.Collection, p *progress) error {
	switch {
	case c == nil:
		return archive.ErrNoPost
	case p.Phase == checking:
		return s.check(ctx, c, p)
	case p.Phase == wiping:
		return s.wipeSome(ctx, post, p)
	default:
		return s.load(ctx, post, c, p)
	}
}

// check reads rows to verify that the whole file can be loaded.
func (s *Service) check(ctx context.Context, c *archive.Collection, p *progress) error {
	s.checking.Lock()
	defer s.checking.Unlock()
	r, end, err := s.open(ctx, c, p)
	if err != nil {
		return err
	}
	defer end()
	for range checkedRows {
		switch _, err := r.Check(); {
		case errors.Is(err, io.EOF):
			*p = progress{Phase: wiping, Key: p.Key, Collection: p.Collection, Now: p.Now}
			return nil
		case err != nil:
			return err
		}
	}
	p.Headers, p.At = r.Headers(), r.Position()
	return nil
}

// wipeSome deletes a part of the post's previous content. When nothing is left, it
// allocates the ids of the first block, or ends the load if there is no file.
func (s *Service) wipeSome(ctx context.Context, post *archive.Post, p *progress) error {
	for range wipedParts {
		used := usageNow()
		_, more, err := s.Store.Wipe(ctx, post.ID)
		if err != nil {
			return err
		}
		if !more && p.Key == "" {
			if _, err := s.finish(ctx, post, post.Records.By, "", 0); err != nil {
				return err
			}
			return errLoaded
		}
		if !more {
			ids, err := s.Store.Allocate(ctx, chunkRows)
			p.Phase, p.First, p.Last = loading, ids.First, ids.Last
			return err
		}
		used.pause(ctx)
	}
	return nil
}

// load writes the records of a block.
func (s *Service) load(ctx context.Context, post *archive.Post, c *archive.Collection, p *progress) error {
	r, end, err := s.open(ctx, c, p)
	if err != nil {
		return err
	}
	defer end()
	used := usageNow()
	b, err := s.read(ctx, r, post, c, p)
	for size := 0; err == nil; {
		var lists []*archive.Household
		if lists, err = s.merged(ctx, b, p); err != nil {
			return err
		}
		p.Count += len(b.records)
		p.First += archive.ID(len(b.records))
		size += b.size
		write := func(ctx context.Context) error { return s.Store.Write(ctx, b.records, lists) }
		if b.last || size >= chunkBytes || !p.hasIDs() {
			if err := write(ctx); err != nil {
				return err
			}
			if !b.last {
				used.pause(ctx)
			}
			return s.rest(ctx, r, post, b, p)
		}
		p.Headers, p.At = r.Headers(), r.Position()
		var next *block
		err = together.Do(ctx, write, func(ctx context.Context) (err error) {
			next, err = s.read(ctx, r, post, c, p)
			return err
		})
		b = next
		used.pause(ctx)
		used = usageNow()
	}
	return err
}

// read reads the records of a block.
func (s *Service) read(ctx context.Context, r *archive.CSV, post *archive.Post, c *archive.Collection, p *progress) (*block, error) {
	b := newBlock(c, post.ID, p.Now)
	return b, s.readInto(ctx, b, r, p)
}

// freeFrom is the number of records from which a load releases memory at its end.
const freeFrom = chunkRows

// rest ends the load after its last block. Otherwise it allocates ids for the next chunk,
// updates the post to show that the load is alive, and advances p.
func (s *Service) rest(ctx context.Context, r *archive.CSV, post *archive.Post, b *block, p *progress) error {
	if b.last {
		if _, err := s.finish(ctx, post, post.Records.By, "", p.Count); err != nil {
			return err
		}
		if p.Count >= freeFrom {
			debug.FreeOSMemory() // an idle server would keep what a large load leaves behind
		}
		return errLoaded
	}
	if !p.hasIDs() {
		ids, err := s.Store.Allocate(ctx, chunkRows)
		if err != nil {
			return err
		}
		p.First, p.Last = ids.First, ids.Last
	}
	alive := *post
	alive.RecordCount = p.Count
	alive.Touch(s.Now())
	if err := s.Posts.Change(ctx, post, &alive); err != nil {
		return err
	}
	p.Headers, p.At = r.Headers(), r.Position()
	return nil
}

// merged returns the households of a block, merged with what earlier blocks have written of
// them.
func (s *Service) merged(ctx context.Context, b *block, p *progress) ([]*archive.Household, error) {
	lists := b.households()
	if p.Count == 0 {
		return lists, nil
	}
	var w archive.Wanted
	for _, h := range lists {
		w.Households = append(w.Households, h.Ref())
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	for _, h := range lists {
		before := facts.Households[h.Ref()]
		if before == nil {
			continue
		}
		var ids []archive.ID
		for _, id := range before.RecordIDs {
			if id < p.First { // those of an earlier attempt at this block are written again
				ids = append(ids, id)
			}
		}
		h.RecordIDs = append(ids, h.RecordIDs...)
		if len(h.RecordIDs) > archive.MaxHousehold {
			return nil, archive.TooLarge(p.At.Row)
		}
	}
	return lists, nil
}

// open returns a reader of the file at the position in p.
func (s *Service) open(ctx context.Context, c *archive.Collection, p *progress) (*archive.CSV, func(), error) {
	file, err := s.Files.Open(ctx, p.Key, p.At.Offset)
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = file.Close() } // only read from
	if p.Headers != nil {
		return archive.GoOnCSV(file, c, p.Headers, p.At), end, nil
	}
	r, err := archive.OpenCSV(file, c)
	if err != nil {
		end()
		return nil, nil, err
	}
	return r, end, nil
}
