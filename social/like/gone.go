package like

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostStatusChanged removes the likes of archived and deleted posts, a page at a time, but not
// those of a newer post with the same id, or from after a post was restored. Once it is, what is
// left of those from before goes too.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting && e.To != social.PostArchived && !e.Liked {
		return "", 0, nil
	}
	likes, err := s.Store.OfPost(ctx, e.PostID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	if e.To == social.PostDeleting {
		return likes.Next, len(likes.Items), s.Store.RemoveLeftovers(ctx, e.PostID, likes.Items)
	}
	if e.Liked { // nobody can like an archived post: what is older than this event is from before that
		_, err = s.removeAll(ctx, slices.DeleteFunc(likes.Items, func(l social.Like) bool { return l.PostedByUserID != e.UserID || !l.LikedAt.Before(e.At) }))
		return likes.Next, len(likes.Items), err
	}
	// A like made after this event belongs to the restored post, or came between the decision to
	// archive the post and its transaction.
	later := func(l social.Like) bool { return l.LikedAt.After(e.At) }
	restored := false
	if slices.ContainsFunc(likes.Items, later) {
		facts, err := s.Posts.Facts(ctx, e.UserID, []social.PostID{e.PostID}, 0)
		if err != nil {
			return "", 0, err
		}
		p := facts[e.PostID].Post
		restored = p != nil && p.Status == social.PostCompleted
	}
	former := slices.DeleteFunc(likes.Items, func(l social.Like) bool { return l.PostedByUserID != e.UserID || restored && later(l) })
	_, err = s.removeAll(ctx, former)
	return likes.Next, len(likes.Items), err
}

// RemoveBetween removes one user's likes of another's posts, a page at a time. The caller
// must have made sure that new likes between the two are refused.
func (s *Service) RemoveBetween(
	ctx context.Context, liker, owner social.UserID, cursor string, ended func(context.Context) (func(social.Like) bool, error),
) (next string, removed int, err error) {
	likes, err := s.Store.OfOwner(ctx, liker, owner, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	if ended != nil && len(likes.Items) > 0 {
		goes, err := ended(ctx)
		if err != nil {
			return "", 0, err
		}
		likes.Items = slices.DeleteFunc(likes.Items, func(l social.Like) bool { return !goes(l) })
	}
	removed, err = s.removeAll(ctx, likes.Items)
	return likes.Next, removed, err
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
	rows, err = s.removeAll(ctx, left)
	return likes.Next, rows, err
}

// removeAll deletes listed likes. Some may have been removed meanwhile, by their users or
// with their posts.
func (s *Service) removeAll(ctx context.Context, likes []social.Like) (rows int, err error) {
	for _, l := range likes {
		if err := refusal.IgnoreConflict(s.remove(ctx, l)); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// remove deletes a like with its event.
func (s *Service) remove(ctx context.Context, l social.Like) error {
	return decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
		e := a.Emit(social.PostDisliked{PostID: l.PostID, Owner: l.PostedByUserID, Liker: l.LikedByUserID, Status: l.Status})
		return s.Store.Remove(ctx, l, e...)
	})
}
