package card

import (
	"context"

	"stoa/internal/decision"
	"stoa/social"
)

// NewMatches puts the card that asks a user to look at their potential matches.
func (s *Service) NewMatches(ctx context.Context, user social.UserID) error {
	_, err := decision.Once(ctx, s.Frame, func(a *decision.Attempt) (struct{}, error) {
		return struct{}{}, s.Put(ctx, s.Catalogue.NewMatches(user), a.Tell)
	})
	return err
}
