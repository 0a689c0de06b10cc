package account

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// ChangeLogin changes the viewer's login.
func (s *Service) ChangeLogin(ctx context.Context, v viewer.Viewer, password, to string) (*messaging.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.SeenUser, error) {
		u, old, facts, err := s.proven(ctx, v, password)
		if err != nil {
			return nil, err
		}
		login, err := messaging.ParseLogin(to)
		if err != nil || login == u.Login() {
			return s.seen(v.UserID, u, facts), err
		}
		secret := *old
		secret.Key = messaging.BasicTag(login)
		after := *u
		after.UpdatedAt, after.Tags = s.next(u), messaging.WithLogin(messaging.FreeTags(u.Tags), login)
		return s.seen(v.UserID, &after, facts), s.Store.Rename(ctx, u, &after, old, &secret)
	})
}

// ChangePassword changes the viewer's password and revokes their tokens.
func (s *Service) ChangePassword(ctx context.Context, v viewer.Viewer, password, to string) (*messaging.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.SeenUser, error) {
		u, old, facts, err := s.proven(ctx, v, password)
		if err != nil {
			return nil, err
		}
		if err := messaging.CheckPassword(to); err != nil {
			return nil, err
		}
		secret := *old
		if secret.Hash, err = s.Passwords.Hash(ctx, to); err != nil {
			return nil, err
		}
		if err := s.Store.Revoke(ctx, u, old, &secret, facts.Versions[v.UserID]); err != nil {
			return nil, err
		}
		s.Tokens.Forget(v.UserID)
		return s.seen(v.UserID, u, facts), nil
	})
}

// proven reads the viewer with their secret, their token version and their sessions, and verifies
// their password.
func (s *Service) proven(ctx context.Context, v viewer.Viewer, password string) (*messaging.User, *messaging.Secret, *messaging.Facts, error) {
	self, err := messaging.Admit(ctx, s.Store, v.UserID)
	if err != nil {
		return nil, nil, nil, err
	}
	if self.Login() == "" {
		return nil, nil, nil, messaging.ErrNoLogin
	}
	key := messaging.BasicTag(self.Login())
	ids := []messaging.UserID{v.UserID}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Secrets: []string{key}, Versions: ids, Presences: ids})
	if err != nil {
		return nil, nil, nil, err
	}
	secret := facts.Secrets[key]
	if secret == nil || secret.User != v.UserID {
		return nil, nil, nil, refusal.ErrConcurrent
	}
	succeeded, err := s.Attempts.SignIn(key, v.Address)
	if err != nil {
		return nil, nil, nil, err
	}
	switch ok, err := s.Passwords.Matches(ctx, secret.Hash, password); {
	case err != nil:
		return nil, nil, nil, err
	case !ok:
		return nil, nil, nil, messaging.ErrPassword
	}
	succeeded()
	return self.User, secret, facts, nil
}
