package account

import (
	"context"
	"log/slog"
	"math"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Login signs a user in by username or address. All failures return the same error and take
// equally long.
func (s *Service) Login(ctx context.Context, v viewer.Viewer, login, password string) (*communities.SignedIn, error) {
	folded := communities.Sought(login)
	succeeded, err := s.Attempts.SignIn(folded, v.Address)
	if err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, communities.Wanted{Usernames: []string{folded}, Emails: []string{folded}})
	if err != nil {
		return nil, err
	}
	id, found := facts.Usernames[folded]
	if !found {
		id, found = facts.Emails[folded]
	}
	if !found {
		id = nobody
	}
	u, err := s.user(ctx, id)
	if err != nil {
		return nil, err
	}
	hash := ""
	if u.Lives() && !u.Banned {
		hash = u.PasswordHash
	}
	switch ok, err := s.Passwords.Matches(ctx, hash, password); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, communities.ErrCredentials
	}
	succeeded()
	return s.begin(ctx, id)
}

// nobody is an id without a user. Reading it takes as long as reading any user.
const nobody = "nobody"

// begin signs in an authenticated user.
func (s *Service) begin(ctx context.Context, id communities.UserID) (*communities.SignedIn, error) {
	u, err := s.user(ctx, id)
	if err != nil {
		return nil, err
	}
	if !u.Lives() || u.Banned {
		return nil, communities.ErrCredentials
	}
	session, err := s.Tokens.Begin(ctx, id, u.TokenVersion)
	if err != nil {
		return nil, err
	}
	return session.Of(u, s.Now()), nil
}

// Refresh exchanges a refresh token for new tokens.
func (s *Service) Refresh(ctx context.Context, token string) (*communities.SignedIn, error) {
	var u *communities.User
	session, err := s.Tokens.Continue(ctx, token, func(ctx context.Context, id communities.UserID) (version int, ok bool, err error) {
		if u, err = s.user(ctx, id); err != nil || !u.Lives() || u.Banned {
			return 0, false, err
		}
		return u.TokenVersion, true, nil
	})
	if err != nil {
		return nil, err
	}
	return session.Of(u, s.Now()), nil
}

// TokenVersion returns the lowest version of a user's tokens that are valid. All tokens of
// a deleted user are revoked. It also records the user's activity: results are cached only
// for a moment, so it is called for nearly every request. If that fails, it is logged, and
// tried again with the next request.
func (s *Service) TokenVersion(ctx context.Context, id viewer.UserID) (int, error) {
	u, err := s.user(ctx, id)
	if err != nil {
		return 0, err
	}
	if !u.Lives() {
		return math.MaxInt, nil
	}
	if err := s.saw(ctx, u); err != nil {
		s.Log.WarnContext(ctx, "storing the time of a user's activity failed", slog.String("user", string(id)), slog.Any("error", err))
	}
	return u.TokenVersion, nil
}

// Revoke revokes all tokens of the viewer.
func (s *Service) Revoke(ctx context.Context, v viewer.Viewer) error {
	err := decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		self, err := communities.Admit(ctx, s.Store, v.UserID)
		if err != nil {
			return err
		}
		return s.Store.Revoke(ctx, self.User, "")
	})
	s.Tokens.Forget(v.UserID)
	return err
}

func (s *Service) saw(ctx context.Context, u *communities.User) error {
	now := s.Now()
	if now.Sub(u.LastSeenAt) < communities.SeenEvery {
		return nil
	}
	return s.Store.Saw(ctx, u, now)
}

// Heartbeat records the viewer's activity.
func (s *Service) Heartbeat(ctx context.Context, v viewer.Viewer) (time.Time, error) {
	self, err := communities.Admit(ctx, s.Store, v.UserID)
	if err != nil {
		return time.Time{}, err
	}
	return s.Now(), s.saw(ctx, self.User)
}
