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

// UserStatusMoved takes back what only anonymous users are asked, once somebody is so no
// longer, and asks them for what is missing.
func (s *Service) UserStatusMoved(ctx context.Context, e social.UserStatusMoved, tell outbox.Tell) error {
	u, err := s.Users.Profile(ctx, e.UserID)
	if u == nil || err != nil || e.From != social.UserAnonymous || u.Stands() == social.UserAnonymous {
		return err
	}
	if err := s.Withdraw(ctx, social.CardAnonymousUpsell.Of(u.UserID), tell); err != nil || e.To != social.UserActive {
		return err
	}
	return s.Put(ctx, s.Catalogue.AddPhoto(u.UserID), tell)
}
