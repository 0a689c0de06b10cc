package card

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostStatusChanged withdraws the cards that refer to a deleted post, a page at a time, but not
// those about a newer post with the same id.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting {
		return "", 0, nil
	}
	facts, err := s.Posts.Facts(ctx, e.UserID, []social.PostID{e.PostID}, 0)
	if err != nil {
		return "", 0, err
	}
	cards, err := s.Store.OfPost(ctx, e.PostID, "", page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	if newer := facts[e.PostID].Post; newer != nil {
		var old []*social.Card
		for _, c := range cards.Items {
			if c.CreatedAt.Before(newer.PostedAt) {
				old = append(old, c)
			}
		}
		cards.Items = old
	}
	for _, c := range cards.Items {
		if c.CardID.CountsOn() != "" {
			c.Comments = e.Unviewed
		}
	}
	return page.Chunk(cards, nil, func(c *social.Card) error { return s.withdraw(ctx, c, tell) })
}
