package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// FollowStatusChanged updates the card with the user's number of follow requests.
func (s *Service) FollowStatusChanged(ctx context.Context, e social.FollowStatusChanged, tell outbox.Tell) error {
	u, err := s.Users.Profile(ctx, e.FollowedUserID)
	if u == nil || err != nil {
		return err
	}
	if u.FollowersRequestedCount == 0 {
		return s.Withdraw(ctx, social.CardRequestedFollowers.Of(u.UserID), tell)
	}
	return s.Put(ctx, s.Catalogue.RequestedFollowers(u.UserID, u.FollowersRequestedCount).Since(u.SignedUpAt), tell)
}
