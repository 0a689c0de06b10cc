package like

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// PostMoved removes the likes of posts that were deleted.
func (s *Service) PostMoved(ctx context.Context, e social.Event) error {
	if e.PostTo != social.PostDeleting {
		return nil
	}
	return s.RemoveOfPost(ctx, e.PostID)
}

// RemoveOfPost removes all likes of a post that is gone. A newer post with the same id
// keeps its own. It can be repeated.
func (s *Service) RemoveOfPost(ctx context.Context, id social.PostID) error {
	return each(
		func(q page.Query) (page.Page[social.Like], error) { return s.Store.OfPost(ctx, id, q) },
		func(likes []social.Like) error { return s.Store.RemoveLeftovers(ctx, id, likes) },
	)
}

// RemoveBetween removes all likes of one user on posts of another. It can be repeated.
// The caller has ended what allowed the liker to like: new likes between the two are
// refused from then on.
func (s *Service) RemoveBetween(ctx context.Context, liker, owner social.UserID) error {
	return each(
		func(q page.Query) (page.Page[social.Like], error) { return s.Store.Between(ctx, liker, owner, q) },
		func(likes []social.Like) error {
			for _, l := range likes {
				// A Conflict is a like that was taken back meanwhile, or goes with its post:
				// removed is removed.
				if err := s.Store.Remove(ctx, l); err != nil && refusal.KindOf(err) != refusal.Conflict {
					return err
				}
			}
			return nil
		},
	)
}

// each reads likes page by page to the end and has every page removed.
func each(read func(page.Query) (page.Page[social.Like], error), remove func([]social.Like) error) error {
	q := page.Query{First: page.Max}
	for {
		likes, err := read(q)
		if err != nil {
			return err
		}
		if err := remove(likes.Items); err != nil {
			return err
		}
		if likes.Next == "" {
			return nil
		}
		q.After = likes.Next
	}
}
