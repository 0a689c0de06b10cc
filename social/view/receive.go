package view

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostStatusChanged deletes the views of deleted posts, a page at a time, without updating the
// owner's counter. Those of a newer post with the same id stay.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting {
		return "", 0, nil
	}
	views, err := s.Store.OfPost(ctx, e.PostID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	return views.Next, len(views.Items), s.Store.RemoveLeftovers(ctx, e.PostID, views.Items)
}
