package post

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// statuses are the statuses of stored posts, in the order in which they are removed.
var statuses = []social.PostStatus{
	social.PostCompleted, social.PostArchived, social.PostPending, social.PostProcessing, social.PostError,
}

// UserRemoved deletes the posts of a removed profile, a page at a time. Whatever belongs to
// a post is removed by its event.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (_ string, rows int, err error) {
	status, after, next := page.Lists(statuses, cursor)
	posts, err := s.Store.ByUser(ctx, e.UserID, status, page.Query{First: page.Max, After: after})
	more, rows, err := social.EachLeft(ctx, e, s.Profiles, posts, err, func(p *social.Post) time.Time { return p.PostedAt }, func(p *social.Post) error {
		return s.purge(ctx, p)
	})
	return next(more), rows, err
}

// purge deletes a post of a removed profile, if it still exists.
func (s *Service) purge(ctx context.Context, listed *social.Post) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		f, err := s.stored(ctx, listed.PostedByUserID, listed.PostID)
		if err != nil || f.Post == nil || !f.Post.PostedAt.Equal(listed.PostedAt) {
			return err
		}
		step := social.NewPostStep(f.Post, f.Post.Gone(), nil, s.Now())
		step.OwnerGone = true
		return s.apply(ctx, a, step, step.StatusChanged(s.Now()))
	})
}
