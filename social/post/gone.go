package post

import (
	"context"
	"slices"
	"strings"
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
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	name, after, _ := strings.Cut(cursor, " ")
	at := max(0, slices.Index(statuses, social.PostStatus(name)))
	posts, err := s.Store.ByUser(ctx, e.UserID, statuses[at], page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	rows, err = social.EachLeft(ctx, e, s.Profiles, posts.Items, func(p *social.Post) time.Time { return p.PostedAt }, func(p *social.Post) error {
		return s.purge(ctx, p)
	})
	if err != nil {
		return "", rows, err
	}
	switch {
	case posts.Next != "":
		return string(statuses[at]) + " " + posts.Next, rows, nil
	case at+1 < len(statuses):
		return string(statuses[at+1]), rows, nil
	default:
		return "", rows, nil
	}
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
