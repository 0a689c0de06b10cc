package record

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Import replaces the records of a post by those of a file. The whole file is read before
// anything is deleted.
func (s *Service) Import(ctx context.Context, v viewer.Viewer, post archive.ID, csv string) (*archive.ImportResult, error) {
	u, p, err := s.admit(ctx, v, archive.Contributor, post)
	if err != nil {
		return nil, err
	}
	if len(csv) > archive.MaxCSV {
		return nil, archive.ErrLargeCSV
	}
	c, err := s.collection(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := u.MayImport(p); err != nil {
		return nil, err
	}
	if err := p.Changeable(string(archive.Loading)); err != nil {
		return nil, err
	}
	rows, households, err := s.checkAll(csv, c)
	if err != nil {
		return nil, err
	}
	result := &archive.ImportResult{Created: rows, Households: households}
	if p.RecordCount+rows > archive.MaxAtOnce {
		result.Post, err = s.importLater(ctx, v, p, csv)
		return result, err
	}
	result.Post, err = s.replace(ctx, v, p, func(ctx context.Context, _ int) (int, error) {
		return rows, s.fill(ctx, p, c, csv, rows)
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// fill writes the records of a file with that many rows, block by block, and the households
// with the last one.
func (s *Service) fill(ctx context.Context, p *archive.Post, c *archive.Collection, csv string, rows int) error {
	if rows == 0 {
		return nil
	}
	r, err := archive.OpenCSV(strings.NewReader(csv), c)
	if err != nil {
		return err
	}
	ids, err := s.Store.Allocate(ctx, rows)
	if err != nil {
		return err
	}
	all := newBlock(c, p.ID, s.Events.Now())
	for at := (progress{First: ids.First}); !all.last; at.First += archive.ID(len(all.records)) {
		if err := s.readInto(ctx, all, r, &at); err != nil {
			return err
		}
		var lists []*archive.Household
		if all.last {
			lists = all.households()
		}
		if err := s.Store.Write(ctx, all.records, lists); err != nil {
			return err
		}
	}
	return nil
}

// importLater has the records of a post replaced in the background, from a copy of the file.
func (s *Service) importLater(ctx context.Context, v viewer.Viewer, read *archive.Post, csv string) (*archive.Post, error) {
	by := s.Events.NewID()
	key := archive.NewUpload(archive.RecordsUpload, s.Events.NewID())
	if err := s.Files.Write(ctx, key, []byte(csv)); err != nil {
		return nil, err
	}
	p, _, err := s.take(ctx, v, read, by, archive.ImportRequested{PostID: read.ID, By: by, Key: key})
	if err != nil {
		return nil, errors.Join(err, s.Files.Delete(context.WithoutCancel(ctx), key))
	}
	return p, nil
}

// admit reads a post and the viewer, or returns an error.
func (s *Service) admit(ctx context.Context, v viewer.Viewer, needed archive.AuthLevel, post archive.ID) (*archive.User, *archive.Post, error) {
	u, facts, err := s.Gate.AdmitWith(ctx, v, needed, archive.Wanted{Posts: []archive.ID{post}})
	if err != nil {
		return nil, nil, err
	}
	if facts.Posts[post] == nil {
		return nil, nil, archive.ErrNoPost
	}
	return u, facts.Posts[post], nil
}

// checkAll checks all rows of a file, and returns their number and that of the households
// that they form. It keeps no rows, of which a small file can have a million, and checks one
// file at a time, as it takes a whole processor.
func (s *Service) checkAll(csv string, c *archive.Collection) (rows, households int, err error) {
	s.checking.Lock()
	defer s.checking.Unlock()
	r, err := archive.OpenCSV(strings.NewReader(csv), c)
	if err != nil {
		return 0, 0, err
	}
	seed, sizes := maphash.MakeSeed(), map[uint64]int32{}
	for ; ; rows++ {
		number, err := r.Check()
		if errors.Is(err, io.EOF) {
			return rows, len(sizes), nil
		}
		if err != nil {
			return 0, 0, err
		}
		if number == "" {
			continue
		}
		n := maphash.String(seed, number)
		if sizes[n]++; sizes[n] > archive.MaxHousehold {
			return 0, 0, archive.TooLarge(r.Position().Row)
		}
	}
}

// wipe deletes the content of a post and returns the number of its records.
func (s *Service) wipe(ctx context.Context, post archive.ID) (gone int, err error) {
	for more := true; more; {
		var n int
		if n, more, err = s.Store.Wipe(ctx, post); err != nil {
			return gone, err
		}
		gone += n
	}
	return gone, nil
}

// take starts a load of a post that was read, for the viewer, unless something else loads it, and reports
// whether the post holds nothing.
func (s *Service) take(ctx context.Context, v viewer.Viewer, read *archive.Post, by string, told ...outbox.Event) (p *archive.Post, empty bool, err error) {
	id := read.ID
	p, err = retry.OnConflict(func() (*archive.Post, error) {
		before := read
		if read = nil; before == nil {
			facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{id}})
			if err != nil {
				return nil, err
			}
			if before = facts.Posts[id]; before == nil {
				return nil, archive.ErrNoPost
			}
		}
		after, err := before.Import(by, v.UserID, s.Events.Now())
		if err != nil {
			return nil, err
		}
		empty = before.Records.Status == archive.Ready && before.RecordCount == 0
		return after, s.changed(ctx, before, after, told...)
	})
	return p, empty, err
}

// replace reserves a post that was read while fill replaces its content, and returns the
// post after that. fill is called with the number of previous records and returns the
// number of new ones.
func (s *Service) replace(ctx context.Context, v viewer.Viewer, read *archive.Post, fill func(ctx context.Context, gone int) (int, error)) (*archive.Post, error) {
	by, id := s.Events.NewID(), read.ID
	p, empty, err := s.take(ctx, v, read, by)
	if err != nil {
		return nil, err
	}
	gone, count := 0, 0
	if !empty {
		gone, err = s.wipe(ctx, id)
	}
	if err == nil {
		count, err = fill(ctx, gone)
	}
	// Even if the request was cancelled, the post must not remain in the state of a load in
	// progress.
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		done, failed := s.finish(ctx, p, by, "", count)
		if failed == nil || refusal.KindOf(failed) != 0 {
			return done, failed
		}
		err = failed
	}
	failure := err
	if count, err = s.Store.Count(ctx, id); err == nil {
		_, err = s.finish(ctx, p, by, messageOf(failure), count)
	}
	if refusal.KindOf(err) != 0 {
		err = nil // the load has ended, or belongs to another one
	}
	return nil, errors.Join(failure, err)
}

// messageOf returns the part of an error that clients may read.
func messageOf(err error) string {
	var refused *refusal.Error
	if errors.As(err, &refused) {
		return refused.Text
	}
	return "Records could not be loaded: load them again"
}

// finish ends a load that still belongs to by, with a message if it failed. read is the
// post as read during the load.
func (s *Service) finish(ctx context.Context, read *archive.Post, by, message string, count int) (*archive.Post, error) {
	report := archive.Completed
	if message != "" {
		report = archive.Failed
	}
	id := read.ID
	return retry.OnConflict(func() (_ *archive.Post, err error) {
		before := read
		if read = nil; before == nil {
			if before, err = s.mine(ctx, id, by); err != nil {
				return nil, err
			}
		}
		after, err := before.ReportRecords(report, message, by, s.Events.Now())
		if err != nil {
			return nil, err
		}
		after.RecordCount = count
		return after, s.changed(ctx, before, after)
	})
}

// mine reads a post loaded by by, or fails with ErrTakenOver if another loader has taken it
// over.
func (s *Service) mine(ctx context.Context, post archive.ID, by string) (*archive.Post, error) {
	p, _, err := s.mineIn(ctx, post, by)
	return p, err
}

// mineIn is like mine, and reads collections in the same call.
func (s *Service) mineIn(ctx context.Context, post archive.ID, by string, collections ...archive.ID) (*archive.Post, map[archive.ID]*archive.Collection, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{post}, Collections: collections})
	if err != nil {
		return nil, nil, err
	}
	p := facts.Posts[post]
	if p == nil {
		return nil, nil, archive.ErrNoPost
	}
	if p.Deleting || p.Records.Status != archive.Loading || p.Records.By != by {
		return nil, nil, archive.ErrTakenOver
	}
	return p, facts.Collections, nil
}

func (s *Service) changed(ctx context.Context, before, after *archive.Post, told ...outbox.Event) error {
	events := s.Events.New(ctx, append(told, after.Changed())...)
	if err := s.Posts.Change(ctx, before, after, events...); err != nil {
		return err
	}
	s.Events.Committed(ctx, events...)
	return nil
}

// block contains records that are written together, and the households that they form.
type block struct {
	collection *archive.Collection
	post       archive.ID
	now        time.Time
	records    []*archive.Record
	// lists are record ids by household number, in the order of the file.
	lists   map[string][]archive.ID
	numbers []string
	// size is the approximate memory of the records.
	size int
	// last says that nothing follows in the file.
	last bool
}

func newBlock(c *archive.Collection, post archive.ID, now time.Time) *block {
	return &block{collection: c, post: post, now: now, lists: map[string][]archive.ID{}}
}

func (b *block) add(id archive.ID, data map[string]string) {
	r := archive.NewRecord(id, b.post, data, b.now)
	if n := b.collection.HouseholdOf(data); n != "" {
		r.Household = n
		if b.lists[n] == nil {
			b.numbers = append(b.numbers, n)
		}
		b.lists[n] = append(b.lists[n], id)
	}
	b.records = append(b.records, r)
}

// households returns the households of the block alone.
func (b *block) households() []*archive.Household {
	all := make([]*archive.Household, len(b.numbers))
	for i, n := range b.numbers {
		all[i] = archive.HouseholdRef{PostID: b.post, Number: n}.Listing(nil, b.lists[n], b.now)
	}
	return all
}
