package like

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostMoved removes the likes of archived and deleted posts, a page at a time, but not
// those of a newer post with the same id, or of a post that has been restored.
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
		// A like made after this event belongs to the restored post.
		if l.PostedByUserID != e.UserID || l.LikedAt.After(e.At) {
			continue
		}
		if err := s.remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", 0, err
		}
	}
	return likes.Next, len(likes.Items), nil
}

// RemoveBetween removes one user's likes of another's posts, a page at a time. The caller
// must have made sure that new likes between the two are refused.
func (s *Service) RemoveBetween(ctx context.Context, liker, owner social.UserID, cursor string) (next string, removed int, err error) {
	likes, err := s.Store.Between(ctx, liker, owner, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, l := range likes.Items {
		// On a Conflict, the like was removed concurrently, by its user or with its post.
		if err := s.remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", removed, err
		}
		removed++
	}
	return likes.Next, removed, nil
}

// UserRemoved removes the likes by a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	likes, err := s.Store.OfLiker(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	left, err := social.Left(ctx, e, s.Profiles, likes.Items, func(l social.Like) time.Time { return l.LikedAt })
	if err != nil {
		return "", 0, err
	}
	for _, l := range left {
		// As in RemoveBetween, a Conflict means that the like is gone.
		if err := s.remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", rows, err
		}
		rows++
	}
	return likes.Next, rows, nil
}

// remove deletes a like with its event.
func (s *Service) remove(ctx context.Context, l social.Like) error {
	e := s.New(ctx, social.PostDisliked{PostID: l.PostID, Owner: l.PostedByUserID, Liker: l.LikedByUserID, Status: l.Status})
	if err := s.Store.Remove(ctx, l, e...); err != nil {
		return err
	}
	s.Committed(ctx, e...)
	return nil
}
