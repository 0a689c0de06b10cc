package comment

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// PostMoved removes the comments on posts that were deleted.
func (s *Service) PostMoved(ctx context.Context, e social.Event) error {
	if e.PostTo != social.PostDeleting {
		return nil
	}
	return s.RemoveOfPost(ctx, e.PostID)
}

// RemoveOfPost removes all comments on a post that is gone. A newer post with the same
// id keeps its own. It can be repeated.
func (s *Service) RemoveOfPost(ctx context.Context, id social.PostID) error {
	q := page.Query{First: page.Max}
	for {
		comments, err := s.Store.ByPost(ctx, id, q, false)
		if err != nil {
			return err
		}
		if err := s.Store.RemoveLeftovers(ctx, id, comments.Items); err != nil {
			return err
		}
		if comments.Next == "" {
			return nil
		}
		q.After = comments.Next
	}
}
