package user

import (
	"context"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Delete removes the caller's profile, whatever its status, and their account. Sessions that
// are out stay good until they expire, for a user who has no profile.
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

// Reset removes the caller's profile, if they have one, and makes a new one when a name is
// given. The account stays. Somebody without a profile, who is given none, is nobody.
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
	// What the removal has caused is done by now, or knows the new profile from the former
	// by its time.
	return s.Create(ctx, v, username, "")
}

// remove removes a profile that has to exist, with a change of the account.
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
	// What belongs to the profile is older than its end, although several things have times that
	// only rise, and may thus be ahead of the clock.
	at := latest(s.Events.Now(), latest(u.SignedUpAt, u.LastPostedAt)).Add(time.Microsecond)
	e := s.Events.New(ctx, outbox.Event(social.UserRemoved{UserID: u.UserID, Username: u.Username, RemovedAt: at}))
	if err := s.Store.Remove(ctx, u, at, account, e...); err != nil {
		return nil, err
	}
	s.Events.Committed(ctx, e...)
	return own(v, to), nil
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
