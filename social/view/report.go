package view

import (
	"context"

	"stoa/internal/kit/retry"
	"stoa/social"
)

// Report records that the caller has viewed posts, as often as each id comes up. Posts that
// are not there, or not for everybody, are left out. Viewing a copy is viewing its original
// as well.
func (s *Service) Report(ctx context.Context, c social.Caller, ids []social.PostID, t social.ViewType) error {
	if err := social.CheckViewReport(ids); err != nil {
		return err
	}
	var viewed tally
	for _, id := range ids {
		if id.Valid() {
			viewed.add(id, 1)
		}
	}
	facts, err := s.facts(ctx, c.UserID, viewed.ids)
	if err != nil {
		return err
	}
	for _, id := range viewed.ids {
		if f := facts[id]; f.Viewable() && f.Post.OriginalPostID != "" && f.Post.OriginalPostID != id {
			viewed.add(f.Post.OriginalPostID, viewed.times[id])
		}
	}
	for _, id := range viewed.ids {
		f, read := facts[id]
		if err := s.view(ctx, c, id, f, read, t, viewed.times[id]); err != nil {
			return err
		}
	}
	return nil
}

// view records views of one post, on which is known what f says if it was read.
func (s *Service) view(ctx context.Context, c social.Caller, id social.PostID, f social.PostViewFacts, read bool, t social.ViewType, times int) error {
	_, err := retry.OnConflict(func() (struct{}, error) {
		if !read {
			facts, err := s.facts(ctx, c.UserID, []social.PostID{id})
			if err != nil {
				return struct{}{}, err
			}
			f = facts[id]
		}
		read = false
		if !f.Viewable() {
			return struct{}{}, nil
		}
		step := f.Reported(t, times, s.Events.Now())
		e := s.Events.New(ctx, social.PostViewed{
			PostID: id, Owner: f.Post.PostedByUserID, Viewer: c.UserID, At: step.After.LastViewedAt, News: step.IsNews(),
		})
		if err := s.Store.Add(ctx, step, e...); err != nil {
			return struct{}{}, err
		}
		s.Events.Committed(ctx, e...)
		return struct{}{}, nil
	})
	return err
}

func (s *Service) facts(ctx context.Context, viewer social.UserID, ids []social.PostID) (map[social.PostID]social.PostViewFacts, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return s.Store.Facts(ctx, viewer, ids)
}

// tally counts how often posts were viewed.
type tally struct {
	// ids are those of times, in the order in which they came.
	ids   []social.PostID
	times map[social.PostID]int
}

func (t *tally) add(id social.PostID, times int) {
	if t.times == nil {
		t.times = map[social.PostID]int{}
	}
	if t.times[id] == 0 {
		t.ids = append(t.ids, id)
	}
	t.times[id] += times
}
