package record

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// List returns the records of a post ordered by id.
func (s *Service) List(ctx context.Context, v viewer.Viewer, operation string, post archive.ID, args page.Args) (page.Page[*archive.SeenRecord], error) {
	var none page.Page[*archive.SeenRecord]
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return none, err
	}
	l, err := page.ListOf(args, "archive."+operation, v.UserID, post.String())
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
func (s *Service) Of(
	ctx context.Context,
	v viewer.Viewer,
	p *archive.Post,
	collection func() (*archive.Collection, error),
	args page.Args,
) (page.Page[*archive.SeenRecord], error) {
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, err
	}
	l, err := page.ListOf(args, "archive.Post.records", v.UserID, p.ID.String())
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, err
	}
	c, err := collection()
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, err
	}
	return s.list(ctx, u, l, p, c)
}

func (s *Service) list(ctx context.Context, u *archive.User, l page.List, p *archive.Post, c *archive.Collection) (page.Page[*archive.SeenRecord], error) {
	rows, err := s.Store.OfPost(ctx, p.ID, l.Query)
	if err != nil {
		return page.Page[*archive.SeenRecord]{}, page.Refused(err)
	}
	return page.Seal(l, page.Map(rows, func(r *archive.Record) *archive.SeenRecord { return r.SeenBy(u.Level, p, c) }), nil)
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
