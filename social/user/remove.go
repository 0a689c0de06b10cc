package user

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/outbox"
	"stoa/social"
)

// Delete deletes the caller's profile, whatever its status, and their account. Existing
// sessions remain valid until they expire, for a user without a profile.
func (s *Service) Delete(ctx context.Context, v social.Viewer) (*social.SeenUser, error) {
	if s.Issuer == nil {
		return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*social.SeenUser, error) { return s.remove(ctx, v, identity.Change{}) })
	}
	var seen *social.SeenUser
	err := s.Issuer.Delete(ctx, v.UserID, func(ctx context.Context, account identity.Change) (err error) {
		seen, err = s.remove(ctx, v, account)
		return err
	})
	return seen, err
}

// Reset deletes the caller's profile, if they have one, and creates a new one if username
// is not empty. The account remains. It returns nil for a caller without a profile and an
// empty username.
func (s *Service) Reset(ctx context.Context, v social.Viewer, username string) (*social.SeenUser, error) {
	seen, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (*social.SeenUser, error) {
		u, err := s.Store.Profile(ctx, v.UserID)
		if u == nil || err != nil {
			return nil, err
		}
		former, err := u.Reset()
		if err != nil {
			return nil, err
		}
		return s.removeProfile(ctx, v, u, former, identity.Change{})
	})
	if err != nil || username == "" {
		return seen, err
	}
	// The effects of the removal have either been applied, or distinguish the new profile
	// from the former one by its time.
	return s.Create(ctx, v, username, "")
}

// remove deletes an existing profile, with a change of the account.
func (s *Service) remove(ctx context.Context, v social.Viewer, account identity.Change) (*social.SeenUser, error) {
	u, err := s.profile(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	return s.removeProfile(ctx, v, u, u.Deleted(), account)
}

// removeProfile makes one attempt to delete a profile, and returns it as the former user
// sees it.
func (s *Service) removeProfile(ctx context.Context, v social.Viewer, u, former *social.User, account identity.Change) (*social.SeenUser, error) {
	return s.removeAs(ctx, v, u, former, account, false)
}

// removeAs is removeProfile, also for a user who is to be erased.
func (s *Service) removeAs(
	ctx context.Context, v social.Viewer, u, former *social.User, account identity.Change, erased bool,
) (*social.SeenUser, error) {
	// Everything that belongs to the profile must be older than its removal. Some of it has
	// strictly increasing times, which may be ahead of the clock.
	at := latest(s.Now(), latest(u.SignedUpAt, u.LastPostedAt)).Add(time.Microsecond)
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		e := a.Emit(social.UserRemoved{UserID: u.UserID, Username: u.Username, RemovedAt: at, Erased: erased})
		return own(v, former), s.Store.Remove(ctx, u, at, account, e...)
	})
}

// AccountDeleted removes what is left of the sign-ins of users who have deleted their accounts.
func (s *Service) AccountDeleted(ctx context.Context, e social.UserRemoved, _ outbox.Tell) error {
	return s.Issuer.Forget(ctx, e.UserID)
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
