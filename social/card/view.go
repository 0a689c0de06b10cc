package card

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Refer reports whether cards of a user refer to a post.
func (s *Service) Refer(ctx context.Context, id social.PostID, user social.UserID) (bool, error) {
	cards, err := s.Store.OfPost(ctx, id, user, page.Query{First: 1})
	return len(cards.Items) > 0, err
}

// PostViewed withdraws the viewer's cards that refer to the post, a page at a time, and
// puts a card for the owner of a post with enough viewers. Cards created after the view
// stay.
func (s *Service) PostViewed(ctx context.Context, e social.PostViewed, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if cursor == "" && e.News {
		p, err := s.post(ctx, e.PostID, e.Owner)
		if err != nil {
			return "", 0, err
		}
		if p != nil {
			if err := s.Put(ctx, s.Catalogue.PostViews(e.Owner, e.PostID).On(p, nil).Since(p.PostedAt), tell); err != nil {
				return "", 0, err
			}
		}
	}
	cards, err := s.Store.OfPost(ctx, e.PostID, e.Viewer, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	activity := social.CardCommentActivity(e.PostID).Of(e.Viewer)
	before := func(n int) int {
		if n == 0 {
			return e.Unviewed
		}
		return n // who has added them since has told the owner
	}
	for _, c := range cards.Items {
		switch {
		case c.CardID == activity: // there may be comments added after the view
			err = s.commentActivity(ctx, e.Viewer, e.PostID, before, tell)
		case !c.CreatedAt.After(e.At):
			err = s.Withdraw(ctx, c.CardID, tell)
		}
		if err != nil {
			return "", 0, err
		}
	}
	return cards.Next, len(cards.Items), nil
}
