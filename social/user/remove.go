package user

import (
	"context"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Delete deletes the caller's profile, whatever its status, and their account. Existing
// sessions remain valid until they expire, for a user without a profile.
func (s *Service) Delete(ctx context.Context, v social.Viewer) (*social.SeenUser, error) {
	if s.Issuer == nil {
		return retry.OnConflict(func() (*social.SeenUser, error) { return s.remove(ctx, v, identity.Change{}, deleted) })
	}
	var seen *social.SeenUser
	err := s.Issuer.Delete(ctx, v.UserID, func(ctx context.Context, account identity.Change) (err error) {
		seen, err = s.remove(ctx, v, account, deleted)
		return err
	})
	return seen, err
}

func deleted(u *social.User) (*social.User, error) { return u.Deleted(), nil }

// Reset deletes the caller's profile, if they have one, and creates a new one if username
// is not empty. The account remains. It returns nil for a caller without a profile and an
// empty username.
func (s *Service) Reset(ctx context.Context, v social.Viewer, username string) (*social.SeenUser, error) {
	seen, err := retry.OnConflict(func() (*social.SeenUser, error) {
		u, err := s.Store.Profile(ctx, v.UserID)
		if u == nil || err != nil {
			return nil, err
		}
		return s.removeProfile(ctx, v, u, identity.Change{}, (*social.User).Reset)
	})
	if err != nil || username == "" {
		return seen, err
	}
	// The effects of the removal have either been applied, or distinguish the new profile
	// from the former one by its time.
	return s.Create(ctx, v, username, "")
}

// remove deletes an existing profile, with a change of the account.
func (s *Service) remove(ctx context.Context, v social.Viewer, account identity.Change, become func(*social.User) (*social.User, error)) (*social.SeenUser, error) {
	u, err := s.profile(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	return s.removeProfile(ctx, v, u, account, become)
}

func (s *Service) removeProfile(ctx context.Context, v social.Viewer, u *social.User, account identity.Change, become func(*social.User) (*social.User, error)) (*social.SeenUser, error) {
	to, err := become(u)
	if err != nil {
		return nil, err
	}
	// Everything that belongs to the profile must be older than its removal. Some of it has
	// strictly increasing times, which may be ahead of the clock.
	at := latest(s.Now(), latest(u.SignedUpAt, u.LastPostedAt)).Add(time.Microsecond)
	e := s.New(ctx, outbox.Event(social.UserRemoved{UserID: u.UserID, Username: u.Username, RemovedAt: at}))
	if err := s.Store.Remove(ctx, u, at, account, e...); err != nil {
		return nil, err
	}
	s.Committed(ctx, e...)
	return own(v, to), nil
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
