package card

import (
	"context"

	"stoa/internal/decision"
	"stoa/social"
)

// NewMatches puts the card that asks a user to look at their potential matches.
func (s *Service) NewMatches(ctx context.Context, user social.UserID) error {
	return decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
		return s.Put(ctx, s.Catalogue.NewMatches(user), a.Tell)
	})
}
