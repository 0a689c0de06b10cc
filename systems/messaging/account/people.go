package account

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Me returns the viewer.
func (s *Service) Me(ctx context.Context, v viewer.Viewer) (*messaging.SeenUser, error) {
	facts, self, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Presences: []messaging.UserID{v.UserID}})
	if err != nil {
		return nil, err
	}
	return s.seen(v.UserID, self.User, facts), nil
}

// seen returns a user, with whose sessions facts were read, as a viewer sees them.
func (s *Service) seen(v messaging.UserID, u *messaging.User, facts *messaging.Facts) *messaging.SeenUser {
	return u.SeenBy(v, facts.Presences[u.ID].Online(s.Now()))
}

// Named returns those users who exist, including deleted ones whose row is kept. Operators
// of the service need no account.
func (s *Service) Named(ctx context.Context, v viewer.Viewer, ids []messaging.UserID) (map[messaging.UserID]*messaging.SeenUser, error) {
	w := messaging.Wanted{Users: ids, Presences: ids}
	facts, err := s.look(ctx, v, w)
	if err != nil {
		return nil, err
	}
	seen := make(map[messaging.UserID]*messaging.SeenUser, len(ids))
	for _, id := range ids {
		if u := facts.Users[id]; u != nil {
			seen[id] = s.seen(v.UserID, u, facts)
		}
	}
	return seen, nil
}

func (s *Service) look(ctx context.Context, v viewer.Viewer, w messaging.Wanted) (*messaging.Facts, error) {
	if messaging.HasAccount(v.UserID) {
		facts, _, err := messaging.Ask(ctx, s.Store, v.UserID, w)
		return facts, err
	}
	switch root, err := s.Operates(ctx, v.UserID); {
	case err != nil:
		return nil, err
	case !root:
		return nil, messaging.ErrUnauthenticated
	}
	return s.Store.Facts(ctx, w)
}

// User returns a user, or nil if they do not exist.
func (s *Service) User(ctx context.Context, v viewer.Viewer, name string) (*messaging.SeenUser, error) {
	id, ok := messaging.ParseUser(name)
	if !ok {
		_, err := s.look(ctx, v, messaging.Wanted{})
		return nil, err
	}
	seen, err := s.Named(ctx, v, []messaging.UserID{id})
	return seen[id], err
}
