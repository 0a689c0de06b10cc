package record

import (
	"context"
	"errors"
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
	rows, created, households, err := allRows(csv, c, archive.MaxAtOnce-p.RecordCount)
	if err != nil {
		return nil, err
	}
	result := &archive.ImportResult{Created: created, Households: households}
	if p.RecordCount+created > archive.MaxAtOnce {
		result.Post, err = s.importLater(ctx, v, p, csv)
		return result, err
	}
	result.Post, err = s.replace(ctx, v, p, func(ctx context.Context, _ int) (int, error) {
		if created == 0 {
			return 0, nil
		}
		b := newBlock(c, p.ID, s.Events.Now())
		ids, err := s.Store.Allocate(ctx, len(rows))
		if err != nil {
			return 0, err
		}
		for i, data := range rows {
			if err := c.Standardize(ctx, s.Places, data); err != nil {
				return 0, err
			}
			b.add(ids.First+archive.ID(i), data)
		}
		return len(b.records), s.Store.Write(ctx, b.records, b.households())
	})
	if err != nil {
		return nil, err
	}
	return result, nil
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

// allRows checks all rows of a file, and returns their number, that of the households that
// they form, and the rows if they are not more than most: a file can have millions.
func allRows(csv string, c *archive.Collection, most int) (rows []map[string]string, n, households int, err error) {
	r, err := archive.OpenCSV(strings.NewReader(csv), c)
	if err != nil {
		return nil, 0, 0, err
	}
	sizes := map[string]int{}
	for {
		data, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, n, len(sizes), nil
		}
		if err != nil {
			return nil, 0, 0, err
		}
		if number := c.HouseholdOf(data); number != "" {
			if sizes[number]++; sizes[number] > archive.MaxHousehold {
				return nil, 0, 0, archive.TooLarge(r.Position().Row)
			}
		}
		if n++; n <= most {
			rows = append(rows, data)
		} else {
			rows = nil
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
	// size is how many bytes of data there are.
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
