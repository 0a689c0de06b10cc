package user

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Photos stores the images that are photos of users.
type Photos interface {
	// KeepPhoto copies the image of a post as a photo of its owner. It fails with Conflict
	// if the image is gone.
	KeepPhoto(ctx context.Context, owner social.UserID, post social.PostID) error
	// RemovePhotos deletes all photos of a user.
	RemovePhotos(ctx context.Context, id social.UserID) error
}

// Devices stores the push tokens of users' devices.
type Devices interface {
	// SetAPNSToken replaces the token of a user's Apple device; "" removes it. It fails
	// with Conflict if the user has a newer profile or is no longer active.
	SetAPNSToken(ctx context.Context, u *social.User, token string) error
}

// SetAPNSToken replaces the token of the caller's Apple device; "" removes it. Only the
// sender of pushes reads it.
func (s *Service) SetAPNSToken(ctx context.Context, c social.Caller, token string) (*social.SeenUser, error) {
	if err := social.CheckProfileText("token", token); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*social.SeenUser, error) {
		err := s.Devices.SetAPNSToken(ctx, c.User, token)
		if refusal.KindOf(err) != refusal.Conflict {
			return c.See(), err
		}
		present, refused := s.Admit(ctx, c.Viewer, []social.UserStatus{social.UserActive})
		if refused != nil {
			return nil, refused
		}
		c = present
		return nil, err
	})
}

// checkPhoto refuses an edit with a photo from a post whose image cannot become one.
func (s *Service) checkPhoto(ctx context.Context, u *social.User, edit social.UserEdit) error {
	id := edit.NewPhoto(u)
	if id == "" {
		return nil
	}
	facts, err := s.Posts.Facts(ctx, u.UserID, []social.PostID{id}, 0)
	if err != nil {
		return err
	}
	return social.CheckPhoto(u, id, facts[id].Post)
}

// keepPhoto copies the image that an edit makes the user's photo. It is called before the
// profile is stored: an unreferenced photo does no harm.
func (s *Service) keepPhoto(ctx context.Context, u *social.User, edit social.UserEdit) error {
	if id := edit.NewPhoto(u); id != "" {
		return s.Photos.KeepPhoto(ctx, u.UserID, id)
	}
	return nil
}

// PostStatusChanged makes the image of a completed post the photo of its owner, if requested and
// permitted.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, _ outbox.Tell) error {
	if !e.SetAsUserPhoto {
		return nil
	}
	u, err := s.Store.Profile(ctx, e.UserID)
	if u == nil || err != nil || u.SignedUpAt.After(e.At) {
		return err
	}
	c := social.Caller{Viewer: social.Viewer{UserID: u.UserID}, User: u}
	_, err = s.SetDetails(ctx, c, social.UserEdit{PhotoPostID: &e.PostID})
	switch refusal.KindOf(err) {
	case refusal.Invalid, refusal.NotFound:
		return nil
	default:
		return err
	}
}

// UserRemoved deletes the photos of a removed profile. A newer profile of the user keeps
// its photo.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, _ string, _ outbox.Tell) (next string, rows int, err error) {
	newer, err := s.Store.Profile(ctx, e.UserID)
	if err != nil || newer != nil && newer.PhotoPostID != "" {
		return "", 0, err
	}
	if err := s.Photos.RemovePhotos(ctx, e.UserID); err != nil {
		return "", 0, err
	}
	// A photo set concurrently may have lost its files.
	newer, err = s.Store.Profile(ctx, e.UserID)
	if newer == nil || err != nil || newer.PhotoPostID == "" {
		return "", 0, err
	}
	return "", 0, refusal.IgnoreConflict(s.Photos.KeepPhoto(ctx, e.UserID, newer.PhotoPostID))
}
