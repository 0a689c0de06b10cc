package comment

import (
	"context"

	"stoa"
	"stoa/internal/kit/page"
)

// PostMoved removes the comments on posts that were deleted.
func (s *Service) PostMoved(ctx context.Context, e stoa.Event) error {
	if e.PostTo != stoa.PostDeleting {
		return nil
	}
	return s.RemoveOfPost(ctx, e.PostID)
}

// RemoveOfPost removes all comments on a post that is gone. A newer post with the same
// id keeps its own. It can be repeated.
func (s *Service) RemoveOfPost(ctx context.Context, id stoa.PostID) error {
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
