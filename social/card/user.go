package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// UserCreated puts the card that asks a new user for missing information.
func (s *Service) UserCreated(ctx context.Context, e social.UserCreated, tell outbox.Tell) error {
	u, err := s.Users.Profile(ctx, e.UserID)
	if u == nil || err != nil {
		return err
	}
	first := s.Catalogue.AddPhoto(u.UserID)
	if u.Stands() == social.UserAnonymous {
		first = s.Catalogue.AnonymousUpsell(u.UserID)
	} else if u.PhotoPostID != "" {
		return nil
	}
	return s.Put(ctx, first, tell)
}

// UserStatusChanged withdraws the card for anonymous users from a user who is anonymous no
// longer, and asks them for missing information.
func (s *Service) UserStatusChanged(ctx context.Context, e social.UserStatusChanged, tell outbox.Tell) error {
	u, err := s.Users.Profile(ctx, e.UserID)
	if u == nil || err != nil || e.From != social.UserAnonymous || u.Stands() == social.UserAnonymous {
		return err
	}
	if err := s.Withdraw(ctx, social.CardAnonymousUpsell.Of(u.UserID), tell); err != nil || e.To != social.UserActive {
		return err
	}
	if u.PhotoPostID != "" {
		return nil
	}
	return s.Put(ctx, s.Catalogue.AddPhoto(u.UserID), tell)
}

// UserPhotoSet withdraws the card that asks for a photo, but not from a newer profile of the user.
func (s *Service) UserPhotoSet(ctx context.Context, e social.UserPhotoSet, tell outbox.Tell) error {
	return s.change(ctx, tell, func() (social.CardChange, social.CardAbout, error) {
		present, u, err := s.Store.Place(ctx, social.CardAddPhoto.Of(e.UserID), e.UserID)
		if u == nil || e.Former(u) || err != nil {
			return social.CardChange{}, social.CardAbout{}, err
		}
		return social.CardChange{Before: present}, social.CardAbout{}, nil
	})
}
