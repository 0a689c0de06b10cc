package view

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the views by a removed profile, a page at a time, and updates the
// counters of the posts and their owners.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	views, err := s.Store.ByViewer(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	left, err := social.Left(ctx, e, s.Profiles, views.Items, func(v social.PostView) time.Time { return v.FirstViewedAt })
	if len(left) == 0 || err != nil {
		return views.Next, 0, err
	}
	ids := slice.Map(left, func(v social.PostView) social.PostID { return v.PostID })
	facts, err := s.Store.Facts(ctx, e.UserID, ids)
	if err != nil {
		return "", 0, err
	}
	for _, v := range left {
		err := s.Store.Forget(ctx, v, facts[v.PostID].Post)
		if refusal.KindOf(err) == refusal.Conflict {
			err = s.forgetNow(ctx, e.UserID, v)
		}
		if err != nil {
			return "", rows, err
		}
		rows++
	}
	return views.Next, rows, nil
}

// forgetNow deletes a view of a post that was replaced meanwhile. Another Conflict means
// that the view is gone or belongs to the user's present profile.
func (s *Service) forgetNow(ctx context.Context, viewer social.UserID, v social.PostView) error {
	facts, err := s.Store.Facts(ctx, viewer, []social.PostID{v.PostID})
	if err != nil {
		return err
	}
	return refusal.IgnoreConflict(s.Store.Forget(ctx, v, facts[v.PostID].Post))
}
