package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// FollowStatusChanged updates the card with the user's number of follow requests, if it has
// changed.
func (s *Service) FollowStatusChanged(ctx context.Context, e social.FollowStatusChanged, tell outbox.Tell) error {
	if (e.From == social.FollowRequested) == (e.To == social.FollowRequested) {
		return nil
	}
	u, err := s.Users.Profile(ctx, e.FollowedUserID)
	if u == nil || err != nil {
		return err
	}
	if u.FollowersRequestedCount == 0 {
		return s.Withdraw(ctx, social.CardRequestedFollowers.Of(u.UserID), tell)
	}
	return s.Put(ctx, s.Catalogue.RequestedFollowers(u.UserID, u.FollowersRequestedCount), tell)
}
