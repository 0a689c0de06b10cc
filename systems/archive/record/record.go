// Package record manages records and households: single ones, and those loaded from files.
//
// A post's content may change while it is a draft, or after publishing has failed.
// Transactions that change single records restate this as a condition; loading a file
// reserves the post.
package record

import (
	"context"
	"sync"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Store stores records and households. Changes fail with ErrChanged if something has
// changed since it was read.
type Store interface {
	archive.FactReader
	archive.Numberer

	// Record and Several read records by id.
	Record(ctx context.Context, id archive.ID) (*archive.Record, error)
	Several(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Record, error)
	OfPost(ctx context.Context, post archive.ID, q page.Query) (page.Page[*archive.Record], error)
	Households(ctx context.Context, post archive.ID, q page.Query) (page.Page[*archive.Household], error)
	HouseholdsNumbered(ctx context.Context, number string, q page.Query) (page.Page[*archive.Household], error)
	Count(ctx context.Context, post archive.ID) (int, error)

	Create(ctx context.Context, p *archive.Post, r *archive.Record) error
	Edit(ctx context.Context, p *archive.Post, before, after *archive.Record) error
	// Delete also removes the record from the household that may list it, which changes
	// from one state to another; nil means none.
	Delete(ctx context.Context, p *archive.Post, r *archive.Record, from, to *archive.Household) error
	SetHousehold(ctx context.Context, p *archive.Post, from, to *archive.Household, entries []archive.HouseholdEntry) error
	DeleteHousehold(ctx context.Context, p *archive.Post, h *archive.Household) error

	// Write stores records and households, replacing existing ones.
	Write(ctx context.Context, all []*archive.Record, lists []*archive.Household) error
	// Wipe deletes a part of a post's content. It returns the number of records in it and
	// whether there may be more.
	Wipe(ctx context.Context, post archive.ID) (records int, more bool, err error)
}

// Posts stores changes of posts.
type Posts interface {
	Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error
}

// Service implements the record area. Its fields are set once.
type Service struct {
	Store  Store
	Posts  Posts
	Gate   archive.Gate
	Places archive.PlaceNames
	Files  Files
	// Events also provides the clock.
	Events outbox.Sender

	loads loads
	// checking is held while a file is checked.
	checking sync.Mutex
}

// post reads a post with its collection.
func (s *Service) post(ctx context.Context, id archive.ID) (*archive.Post, *archive.Collection, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{id}})
	if err != nil {
		return nil, nil, err
	}
	p := facts.Posts[id]
	if p == nil {
		return nil, nil, archive.ErrNoPost
	}
	c, err := s.collection(ctx, p)
	return p, c, err
}

// collection reads the collection of a post.
func (s *Service) collection(ctx context.Context, p *archive.Post) (*archive.Collection, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Collections: []archive.ID{p.CollectionID}})
	if err != nil {
		return nil, err
	}
	c := facts.Collections[p.CollectionID]
	if c == nil {
		return nil, archive.ErrNoPost // a post always has one
	}
	return c, nil
}

// List returns the records of a post ordered by id.
func (s *Service) List(ctx context.Context, v viewer.Viewer, operation string, post archive.ID, args page.Args) (page.Page[*archive.SeenRecord], error) {
	var none page.Page[*archive.SeenRecord]
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return none, err
	}
	l, err := archive.ListOf(args, operation, v.UserID, post.String())
	if err != nil {
		return none, err
	}
	p, c, err := s.post(ctx, post)
	if err != nil {
		return none, err
	}
	return s.list(ctx, u, l, p, c)
}

// Of returns the records of a post that the viewer sees.
func (s *Service) Of(ctx context.Context, v viewer.Viewer, p *archive.Post, collection func() (*archive.Collection, error), args page.Args) (page.Page[*archive.SeenRecord], error) {
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, err
	}
	l, err := archive.ListOf(args, "Post.records", v.UserID, p.ID.String())
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, err
	}
	c, err := collection()
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, err
	}
	return s.list(ctx, u, l, p, c)
}

func (s *Service) list(ctx context.Context, u *archive.User, l archive.List, p *archive.Post, c *archive.Collection) (page.Page[*archive.SeenRecord], error) {
	rows, err := s.Store.OfPost(ctx, p.ID, l.Query)
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, page.Refused(err)
	}
	return archive.Seal(l, page.Map(rows, func(r *archive.Record) *archive.SeenRecord { return r.SeenBy(u.Level, p, c) }), nil)
}

// PostOf returns the post of a record that the viewer sees.
func (s *Service) PostOf(ctx context.Context, v viewer.Viewer, r *archive.SeenRecord) (*archive.Post, error) {
	_, err := s.Gate.Admit(ctx, v, archive.Reader)
	return r.Post(), err
}

// Record returns a record, or nil if it does not exist, with its post, its collection and
// its household, which a page about a record displays.
func (s *Service) Record(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.SeenRecord, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return nil, err
	}
	r, err := s.Store.Record(ctx, id)
	if r == nil || err != nil {
		return nil, err
	}
	seen, err := s.show(ctx, u, []*archive.Record{r}, true)
	if err != nil || len(seen) == 0 {
		return nil, err
	}
	return seen[0], nil
}

// Several returns records in the order of ids, omitting those that do not exist.
func (s *Service) Several(ctx context.Context, v viewer.Viewer, ids []archive.ID) ([]*archive.SeenRecord, error) {
	if err := archive.CheckAsked("records", len(ids)); err != nil {
		return nil, err
	}
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.Several(ctx, ids)
	if err != nil {
		return nil, err
	}
	return s.show(ctx, u, archive.Ordered(ids, found), false)
}

// show returns records with their posts and collections.
func (s *Service) show(ctx context.Context, u *archive.User, rows []*archive.Record, withHousehold bool) ([]*archive.SeenRecord, error) {
	var w archive.Wanted
	for _, r := range rows {
		w.Posts = append(w.Posts, r.PostID)
		if ref, ok := r.HouseholdRef(); ok && withHousehold {
			w.Households = append(w.Households, ref)
		}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	posts, lists := facts.Posts, facts.Households
	w = archive.Wanted{}
	for _, p := range posts {
		w.Collections = append(w.Collections, p.CollectionID)
	}
	for _, h := range lists {
		w.Records = append(w.Records, refsOf(h)...)
	}
	if facts, err = s.Store.Facts(ctx, w); err != nil {
		return nil, err
	}
	seen := []*archive.SeenRecord{}
	for _, r := range rows {
		p := posts[r.PostID]
		if p == nil || facts.Collections[p.CollectionID] == nil {
			continue // being deleted
		}
		shown := r.SeenBy(u.Level, p, facts.Collections[p.CollectionID])
		if withHousehold {
			var h *archive.Household
			if ref, ok := r.HouseholdRef(); ok {
				h = lists[ref]
			}
			shown.In(h).With(facts.Records)
		}
		seen = append(seen, shown)
	}
	return seen, nil
}

// maxAlong is the maximum number of records of a household that are read together with one
// of them.
const maxAlong = 90

// refsOf returns the records of a household, or none if there are too many to be read
// together.
func refsOf(h *archive.Household) (refs []archive.RecordRef) {
	if len(h.RecordIDs) > maxAlong {
		return nil
	}
	for _, id := range h.RecordIDs {
		refs = append(refs, archive.RecordRef{PostID: h.PostID, ID: id})
	}
	return refs
}

// editable reads a post whose records may be changed.
func (s *Service) editable(ctx context.Context, id archive.ID) (*archive.Post, *archive.Collection, error) {
	p, c, err := s.post(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return p, c, p.Editable()
}

// Create adds a record to a post.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, post archive.ID, given map[string]any) (*archive.SeenRecord, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Editor)
	if err != nil {
		return nil, err
	}
	var id archive.ID
	return retry.OnConflict(func() (*archive.SeenRecord, error) {
		p, c, err := s.editable(ctx, post)
		if err != nil {
			return nil, err
		}
		data, err := s.data(ctx, c, given)
		if err != nil {
			return nil, err
		}
		if id == 0 {
			if id, err = s.Store.NewID(ctx); err != nil {
				return nil, err
			}
		}
		r := archive.NewRecord(id, p.ID, data, s.Events.Now())
		return r.SeenBy(u.Level, p, c), s.Store.Create(ctx, p, r)
	})
}

// data checks the data from a client and adds the standard forms.
func (s *Service) data(ctx context.Context, c *archive.Collection, given map[string]any) (map[string]string, error) {
	data, err := archive.ParseData(given)
	if err != nil {
		return nil, err
	}
	if err := c.CheckData(data); err != nil {
		return nil, err
	}
	return data, c.Standardize(ctx, s.Places, data)
}

// Edit replaces the data of a record. Its post cannot change; post may be nil.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, id archive.ID, post *archive.ID, given map[string]any, at time.Time) (*archive.SeenRecord, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Editor)
	if err != nil {
		return nil, err
	}
	return retry.OnConflict(func() (*archive.SeenRecord, error) {
		before, err := s.Store.Record(ctx, id)
		if err != nil {
			return nil, err
		}
		if before == nil {
			return nil, archive.ErrNoRecord
		}
		if post != nil && *post != before.PostID {
			return nil, archive.ErrOtherPost
		}
		p, c, err := s.editable(ctx, before.PostID)
		if err != nil {
			return nil, err
		}
		data, err := s.data(ctx, c, given)
		if err != nil {
			return nil, err
		}
		after, err := before.Edited(data, at, s.Events.Now())
		if err != nil {
			return nil, err
		}
		return after.SeenBy(u.Level, p, c), s.Store.Edit(ctx, p, before, after)
	})
}

// Delete deletes a record. It returns false if it does not exist.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Editor); err != nil {
		return false, err
	}
	return retry.OnConflict(func() (bool, error) {
		r, err := s.Store.Record(ctx, id)
		if r == nil || err != nil {
			return false, err
		}
		w := archive.Wanted{Posts: []archive.ID{r.PostID}}
		ref, listed := r.HouseholdRef()
		if listed {
			w.Households = append(w.Households, ref)
		}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return false, err
		}
		p := facts.Posts[r.PostID]
		if p == nil {
			return false, nil
		}
		if err := p.Editable(); err != nil {
			return false, err
		}
		from := facts.Households[ref]
		err = s.Store.Delete(ctx, p, r, from, from.Less(r.ID, s.Events.Now()))
		return err == nil, err
	})
}

// DeleteAll deletes the content of a post and returns the number of its records. Those of a
// large post are deleted in the background.
func (s *Service) DeleteAll(ctx context.Context, v viewer.Viewer, post archive.ID) (int, error) {
	_, p, err := s.admit(ctx, v, archive.Editor, post)
	if err != nil {
		return 0, err
	}
	if p.RecordCount > archive.MaxAtOnce {
		by := s.Events.NewID()
		p, _, err = s.take(ctx, v, p, by, archive.ImportRequested{PostID: post, By: by, Nothing: true})
		if err != nil {
			return 0, err
		}
		return p.RecordCount, nil
	}
	gone := 0
	_, err = s.replace(ctx, v, p, func(_ context.Context, n int) (int, error) {
		gone = n
		return 0, nil
	})
	return gone, err
}
