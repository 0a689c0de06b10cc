package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// NewMatches asks a user to look at their potential matches.
func (s *Service) NewMatches(ctx context.Context, user social.UserID) error {
	var told []outbox.Message
	if err := s.Put(ctx, s.Catalogue.NewMatches(user), func(m ...outbox.Message) { told = append(told, m...) }); err != nil {
		return err
	}
	for _, m := range told {
		if err := outbox.Publish(ctx, s.Bus, s.Events.Now(), m); err != nil {
			return err
		}
	}
	return nil
}
