package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// SubscriptionLevelChanged puts the card that welcomes a user to the DIAMOND level, and withdraws
// it when they leave that level.
func (s *Service) SubscriptionLevelChanged(ctx context.Context, e social.SubscriptionLevelChanged, tell outbox.Tell) error {
	u, err := s.Users.Profile(ctx, e.UserID)
	if u == nil || err != nil {
		return err
	}
	if u.IsDiamond() {
		return s.Put(ctx, s.Catalogue.Subscription(u.UserID).Since(u.SignedUpAt), tell)
	}
	return s.Withdraw(ctx, social.CardSubscription.Of(u.UserID), tell)
}
