package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// NewMatches puts the card that asks a user to look at their potential matches.
func (s *Service) NewMatches(ctx context.Context, user social.UserID) error {
	return s.Put(ctx, s.Catalogue.NewMatches(user), func(m ...outbox.Message) { s.Events.Tell(ctx, m...) })
}
