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
	"stoa/systems/archive"
)

// Import replaces the records of a post by those of a file. The whole file is read before
// anything is deleted.
func (s *Service) Import(ctx context.Context, v viewer.Viewer, post archive.ID, csv string) (*archive.ImportResult, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Contributor)
	if err != nil {
		return nil, err
	}
	if len(csv) > archive.MaxCSV {
		return nil, archive.ErrLargeCSV
	}
	p, c, err := s.post(ctx, post)
	if err != nil {
		return nil, err
	}
	if err := u.MayImport(p); err != nil {
		return nil, err
	}
	if err := p.Changeable(string(archive.Loading)); err != nil {
		return nil, err
	}
	rows, err := allRows(csv, c)
	if err != nil {
		return nil, err
	}
	result := &archive.ImportResult{}
	result.Post, err = s.replace(ctx, post, func(ctx context.Context, p *archive.Post, _ *archive.Collection) (int, error) {
		if _, err := s.wipe(ctx, p.ID); err != nil || len(rows) == 0 {
			return 0, err
		}
		b := newBlock(c, p.ID, s.Events.Now())
		ids, err := s.ids(ctx, len(rows))
		if err != nil {
			return 0, err
		}
		for i, data := range rows {
			if err := c.Standardize(ctx, s.Places, data); err != nil {
				return 0, err
			}
			b.add(ids[i], data)
		}
		lists := b.households()
		result.Created, result.Households = len(b.records), len(lists)
		return len(b.records), s.Store.Write(ctx, b.records, lists)
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// allRows reads a file to its end.
func allRows(csv string, c *archive.Collection) (rows []map[string]string, err error) {
	r, err := archive.OpenCSV(strings.NewReader(csv), c)
	if err != nil {
		return nil, err
	}
	sizes := map[string]int{}
	for {
		data, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		if n := c.HouseholdOf(data); n != "" {
			if sizes[n]++; sizes[n] > archive.MaxHousehold {
				return nil, archive.TooLarge(r.Position().Row)
			}
		}
		rows = append(rows, data)
	}
}

// ids takes as many ids as there are rows, in rising order.
func (s *Service) ids(ctx context.Context, n int) ([]archive.ID, error) {
	ids := make([]archive.ID, 0, n)
	r, err := s.Store.Allocate(ctx, n)
	for id := r.First; err == nil && len(ids) < n; id++ {
		ids = append(ids, id)
	}
	return ids, err
}

// wipe removes what a post holds, and returns how many records that were.
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

// replace has a post to itself while fill replaces what it holds, and returns the post as
// it is then. Fill returns how many records there are.
func (s *Service) replace(ctx context.Context, post archive.ID, fill func(ctx context.Context, p *archive.Post, c *archive.Collection) (int, error)) (*archive.Post, error) {
	by := s.Events.NewID()
	var collection *archive.Collection
	p, err := retry.OnConflict(func() (*archive.Post, error) {
		before, c, err := s.post(ctx, post)
		if err != nil {
			return nil, err
		}
		collection = c
		after, err := before.Import(by, s.Events.Now())
		if err != nil {
			return nil, err
		}
		return after, s.changed(ctx, before, after)
	})
	if err != nil {
		return nil, err
	}
	count, failure := fill(ctx, p, collection)
	// Whatever happened to the request, the post must not stay as if something went on.
	ctx = context.WithoutCancel(ctx)
	if failure == nil {
		return s.finish(ctx, post, by, "", count)
	}
	count, err = s.Store.Count(ctx, post)
	if err == nil {
		_, err = s.finish(ctx, post, by, messageOf(failure), count)
	}
	return nil, errors.Join(failure, err)
}

// messageOf is what of a failure a client may read.
func messageOf(err error) string {
	var refused *refusal.Error
	if errors.As(err, &refused) {
		return refused.Text
	}
	return "Records could not be loaded: load them again"
}

// finish ends a load that is still by somebody, with a message when it failed.
func (s *Service) finish(ctx context.Context, post archive.ID, by, message string, count int) (*archive.Post, error) {
	report := archive.Completed
	if message != "" {
		report = archive.Failed
	}
	return retry.OnConflict(func() (*archive.Post, error) {
		before, err := s.mine(ctx, post, by)
		if err != nil {
			return nil, err
		}
		after, err := before.ReportRecords(report, message, by, s.Events.Now())
		if err != nil {
			return nil, err
		}
		after.RecordCount = count
		return after, s.changed(ctx, before, after)
	})
}

// mine reads a post that somebody loads; ErrChanged when it is another's by now.
func (s *Service) mine(ctx context.Context, post archive.ID, by string) (*archive.Post, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{post}})
	if err != nil {
		return nil, err
	}
	p := facts.Posts[post]
	if p == nil {
		return nil, archive.ErrNoPost
	}
	if p.Deleting || p.Records.Status != archive.Loading || p.Records.By != by {
		return nil, archive.ErrTakenOver
	}
	return p, nil
}

func (s *Service) changed(ctx context.Context, before, after *archive.Post) error {
	events := s.Events.New(ctx, after.Changed())
	if err := s.Posts.Change(ctx, before, after, events...); err != nil {
		return err
	}
	s.Events.Committed(ctx, events...)
	return nil
}

// block is records that are written together, and the households that they form.
type block struct {
	collection *archive.Collection
	post       archive.ID
	now        time.Time
	records    []*archive.Record
	// lists are by number, in the order in which they came.
	lists   map[string][]archive.ID
	numbers []string
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

// households are those of the block alone.
func (b *block) households() []*archive.Household {
	all := make([]*archive.Household, len(b.numbers))
	for i, n := range b.numbers {
		all[i] = archive.HouseholdRef{PostID: b.post, Number: n}.Listing(nil, b.lists[n], b.now)
	}
	return all
}
