package account

import (
	"context"
	"math"

	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Login signs a user in. All failures return the same error and take equally long.
func (s *Service) Login(ctx context.Context, v viewer.Viewer, login, password string) (*messaging.SignedIn, error) {
	key := messaging.LoginKey(login)
	succeeded, err := s.Attempts.SignIn(key, v.Address)
	if err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Secrets: []string{key}})
	if err != nil {
		return nil, err
	}
	secret := facts.Secrets[key]
	id, hash := messaging.UserID(nobody), []byte(nil)
	if secret.Good(s.Now()) {
		id, hash = secret.User, secret.Hash
	}
	ids := []messaging.UserID{id}
	facts, err = s.Store.Facts(ctx, messaging.Wanted{Users: ids, Versions: ids, Presences: ids})
	if err != nil {
		return nil, err
	}
	u := facts.Users[id]
	if !u.Active() {
		hash = nil
	}
	switch ok, err := s.Passwords.Matches(ctx, hash, password); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, messaging.ErrCredentials
	}
	succeeded()
	return s.signIn(ctx, u, facts)
}

// nobody is an id without a user. Reading it takes as long as reading any user.
const nobody = "AAAAAAAAAAA"

// signIn returns a token for an authenticated user, with whose token version and sessions facts
// were read.
func (s *Service) signIn(ctx context.Context, u *messaging.User, facts *messaging.Facts) (*messaging.SignedIn, error) {
	token, expires, err := s.Tokens.Issue(ctx, u.ID, facts.Versions[u.ID], u.Level())
	if err != nil {
		return nil, err
	}
	return &messaging.SignedIn{User: s.seen(u.ID, u, facts), Token: token, ExpiresAt: expires, Level: u.Level()}, nil
}

// Refresh returns a new token for the holder of a valid one.
func (s *Service) Refresh(ctx context.Context, v viewer.Viewer) (*messaging.SignedIn, error) {
	ids := []messaging.UserID{v.UserID}
	facts, self, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Versions: ids, Presences: ids})
	if err != nil {
		return nil, err
	}
	return s.signIn(ctx, self.User, facts)
}

// TokenVersion returns the lowest version of a user's tokens that are valid. All tokens of
// a suspended or deleted user are revoked.
func (s *Service) TokenVersion(ctx context.Context, id viewer.UserID) (int, error) {
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Users: []messaging.UserID{id}, Versions: []messaging.UserID{id}})
	switch {
	case err != nil:
		return 0, err
	case !facts.Users[id].Active():
		return math.MaxInt, nil
	}
	return facts.Versions[id], nil
}
