package comment

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostStatusChanged deletes the comments on deleted posts, a page at a time, but not those on a
// newer post with the same id.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting {
		return "", 0, nil
	}
	comments, err := s.Store.ByPost(ctx, e.PostID, page.Query{First: page.Max, After: cursor}, false)
	if err != nil {
		return "", 0, err
	}
	if err := s.Flags.Clear(ctx, social.FlagOnComment, slice.Map(comments.Items, (*social.Comment).FlaggedItem)...); err != nil {
		return "", 0, err
	}
	return comments.Next, len(comments.Items), s.Store.RemoveLeftovers(ctx, e.PostID, comments.Items)
}
