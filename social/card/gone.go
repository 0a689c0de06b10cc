package card

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the cards of a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	cards, err := s.Store.ByUser(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	return social.EachLeft(ctx, e, s.Users, cards, err, func(c *social.Card) time.Time { return c.CreatedAt }, func(c *social.Card) error {
		return s.discard(ctx, c, tell)
	})
}

// discard deletes a card of a former profile and notifies its user, who may still be
// subscribed.
func (s *Service) discard(ctx context.Context, listed *social.Card, tell outbox.Tell) error {
	gone, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (social.CardChange, error) {
		c, err := s.Store.Card(ctx, listed.CardID)
		if c == nil || !c.CreatedAt.Equal(listed.CreatedAt) || err != nil {
			return social.CardChange{}, err
		}
		return social.CardChange{Before: c}, s.Store.Discard(ctx, *c)
	})
	if err == nil && gone.Moves() {
		tell(gone.Notification())
	}
	return err
}
