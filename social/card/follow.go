package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// FollowStatusChanged updates the card with the user's number of follow requests.
func (s *Service) FollowStatusChanged(ctx context.Context, e social.FollowStatusChanged, tell outbox.Tell) error {
	return s.count(ctx, social.CardRequestedFollowers, e.FollowedUserID, tell, func(u *social.User) (int, social.NewCard) {
		return u.FollowersRequestedCount, s.Catalogue.RequestedFollowers(u.UserID, u.FollowersRequestedCount)
	})
}
