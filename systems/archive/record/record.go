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

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Store stores records and households. Changes fail with refusal.Conflict if something
// has changed since it was read.
type Store interface {
	archive.FactReader
	archive.Numberer
	archive.HouseholdFinder
	archive.ContentWiper

	// Record and Several read records by id.
	Record(ctx context.Context, id archive.ID) (*archive.Record, error)
	Several(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Record, error)
	OfPost(ctx context.Context, post archive.ID, q page.Query) (page.Page[*archive.Record], error)
	Households(ctx context.Context, post archive.ID, q page.Query) (page.Page[*archive.Household], error)
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
}

// Posts stores changes of posts.
type Posts interface {
	Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error
	// Import is Change by an import, and also stores what its user has imported.
	Import(ctx context.Context, before, after *archive.Post, from, to *archive.User, events ...outbox.Record) error
}

// Service implements the record area. Its fields are set once.
type Service struct {
	decision.Frame
	Store  Store
	Posts  Posts
	Gate   archive.Gate
	Places archive.PlaceNames
	Files  Files
	Limits archive.ImportLimits
	// WorkElsewhere is set if external workers load records.
	WorkElsewhere bool

	// checking is held while a file is checked.
	checking sync.Mutex
}

// Create adds a record to a post.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, post archive.ID, given map[string]any) (*archive.SeenRecord, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Editor)
	if err != nil {
		return nil, err
	}
	var id archive.ID
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.SeenRecord, error) {
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
		r := archive.NewRecord(id, p.ID, data, s.Now())
		return r.SeenBy(u.Level, p, c), s.Store.Create(ctx, p, r)
	})
}

// Edit replaces the data of a record. Its post cannot change; post may be nil.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, id archive.ID, post *archive.ID, given map[string]any, at time.Time) (*archive.SeenRecord, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Editor)
	if err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.SeenRecord, error) {
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
		after, err := before.Edited(data, at, s.Now())
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
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
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
		err = s.Store.Delete(ctx, p, r, from, from.Less(r.ID, s.Now()))
		return err == nil, err
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

// editable reads a post whose records may be changed.
func (s *Service) editable(ctx context.Context, id archive.ID) (*archive.Post, *archive.Collection, error) {
	p, c, err := s.post(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return p, c, p.Editable()
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
