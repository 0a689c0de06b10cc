package card

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// ByUser returns a user's cards, newest first, or nil to other viewers.
func (s *Service) ByUser(ctx context.Context, v social.Viewer, of *social.SeenUser, list page.Args) (*page.Page[*social.SeenCard], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	if !of.IsSelf() {
		return nil, nil
	}
	cards, err := s.Store.ByUser(ctx, of.UserID(), q)
	if err != nil {
		return nil, err
	}
	seen := page.Page[*social.SeenCard]{Items: make([]*social.SeenCard, 0, len(cards.Items)), Next: cards.Next}
	for _, c := range cards.Items {
		if !of.Former(c.CreatedAt) {
			seen.Items = append(seen.Items, c.See(v))
		}
	}
	return &seen, nil
}

// Subscribe returns a channel of changes to the viewer's cards. See
// notification.Service.Subscribe.
func (s *Service) Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.CardNotification, error) {
	return outbox.Listen[social.CardNotification](ctx, s.Bus, social.CardSubject(userID), s.Now(), social.CheckSubscriber(v, userID))
}
