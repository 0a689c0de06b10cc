package subscription

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// AppStoreSubChanged updates a user's level according to their subscriptions.
func (s *Service) AppStoreSubChanged(ctx context.Context, e social.AppStoreSubChanged, _ outbox.Tell) error {
	return s.updateLevel(ctx, e.UserID)
}

// UserRemoved deletes the subscriptions of a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	subs, err := s.Store.OfUser(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	left, err := social.Left(ctx, e, s.Users, subs.Items, func(a *social.AppStoreSub) time.Time { return a.CreatedAt })
	if err != nil {
		return "", 0, err
	}
	return subs.Next, len(left), s.Store.Remove(ctx, left)
}
