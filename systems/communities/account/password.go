package account

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// ChangePassword changes the viewer's password and revokes all their tokens.
func (s *Service) ChangePassword(ctx context.Context, v viewer.Viewer, current, new_ string) error {
	err := decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		u, err := s.proven(ctx, v, current)
		if err != nil {
			return err
		}
		if err := communities.CheckPassword(new_); err != nil {
			return err
		}
		hash, err := s.Passwords.Hash(ctx, new_)
		if err != nil {
			return err
		}
		return s.Store.Revoke(ctx, u, hash)
	})
	s.Tokens.Forget(v.UserID)
	return err
}

// proven reads the viewer and verifies their password.
func (s *Service) proven(ctx context.Context, v viewer.Viewer, password string) (*communities.User, error) {
	self, err := communities.Admit(ctx, s.Store, v.UserID)
	if err != nil {
		return nil, err
	}
	succeeded, err := s.Attempts.SignIn(string(self.ID), v.Address)
	if err != nil {
		return nil, err
	}
	switch ok, err := s.Passwords.Matches(ctx, self.PasswordHash, password); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, communities.ErrPassword
	}
	succeeded()
	return self.User, nil
}
