package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// UserCreated asks a new user for what is missing.
func (s *Service) UserCreated(ctx context.Context, e social.UserCreated, tell outbox.Tell) error {
	u, err := s.Users.Profile(ctx, e.UserID)
	if u == nil || err != nil {
		return err
	}
	if u.HasStatus([]social.UserStatus{social.UserAnonymous}) {
		return s.Put(ctx, s.Catalogue.AnonymousUpsell(u.UserID), tell)
	}
	return s.Put(ctx, s.Catalogue.AddPhoto(u.UserID), tell)
}
