package like

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostMoved removes the likes of posts that were archived or deleted, a page at a time. A
// newer post with the same id keeps its own, and so does one that is back already.
func (s *Service) PostMoved(ctx context.Context, e social.PostMoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting && e.To != social.PostArchived {
		return "", 0, nil
	}
	likes, err := s.Store.OfPost(ctx, e.PostID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	if e.To == social.PostDeleting {
		return likes.Next, len(likes.Items), s.Store.RemoveLeftovers(ctx, e.PostID, likes.Items)
	}
	for _, l := range likes.Items {
		// A like that came after this event came to the post restored.
		if l.PostedByUserID != e.UserID || l.LikedAt.After(e.At) {
			continue
		}
		if err := s.remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", 0, err
		}
	}
	return likes.Next, len(likes.Items), nil
}

// RemoveBetween removes likes of one user on posts of another, a page at a time. The
// caller has ended what allowed the liker to like: new likes between the two are refused
// from then on.
func (s *Service) RemoveBetween(ctx context.Context, liker, owner social.UserID, cursor string) (next string, removed int, err error) {
	likes, err := s.Store.Between(ctx, liker, owner, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, l := range likes.Items {
		// A Conflict is a like that was taken back meanwhile, or goes with its post:
		// removed is removed.
		if err := s.remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", removed, err
		}
		removed++
	}
	return likes.Next, removed, nil
}

// UserRemoved removes the likes that a former profile gave, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	likes, err := s.Store.OfLiker(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, l := range likes.Items {
		if !l.LikedAt.Before(e.RemovedAt) {
			continue
		}
		// As in RemoveBetween, removed is removed.
		if err := s.remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", rows, err
		}
		rows++
	}
	return likes.Next, rows, nil
}

// remove takes a like away and tells of it.
func (s *Service) remove(ctx context.Context, l social.Like) error {
	e := s.Events.New(ctx, social.PostDisliked{PostID: l.PostID, Owner: l.PostedByUserID, Liker: l.LikedByUserID, Status: l.Status})
	if err := s.Store.Remove(ctx, l, e...); err != nil {
		return err
	}
	s.Events.Committed(ctx, e...)
	return nil
}
