package account

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Suspend suspends a user.
func (s *Service) Suspend(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenUser, error) {
	return s.govern(ctx, v, id, messaging.Suspended)
}

// Restore ends the suspension of a user.
func (s *Service) Restore(ctx context.Context, v viewer.Viewer, id string) (*messaging.SeenUser, error) {
	return s.govern(ctx, v, id, messaging.InUse)
}

// govern changes the state of a user for an operator.
func (s *Service) govern(ctx context.Context, v viewer.Viewer, name string, to messaging.AccountState) (*messaging.SeenUser, error) {
	switch root, err := s.Operates(ctx, v.UserID); {
	case err != nil:
		return nil, err
	case !root:
		return nil, messaging.ErrNotRoot
	}
	id, ok := messaging.ParseUser(name)
	if !ok {
		return nil, messaging.ErrNoUser
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenUser, error) {
		ids := []messaging.UserID{id}
		facts, err := s.Store.Facts(ctx, messaging.Wanted{Users: ids, Versions: ids, Presences: ids})
		if err != nil {
			return nil, err
		}
		u := facts.Users[id]
		switch {
		case !u.Exists():
			return nil, messaging.ErrNoUser
		case u.State == to:
			return s.seen(v.UserID, u, facts), nil
		}
		after := *u
		after.State, after.UpdatedAt = to, s.next(u)
		if err := s.Store.Govern(ctx, u, &after, facts.Versions[id], a.Emit(messaging.Locked{User: id})...); err != nil {
			return nil, err
		}
		s.Tokens.Forget(id)
		return s.seen(v.UserID, &after, facts), nil
	})
}

// Locked ends the live subscriptions of a suspended or deleted account.
func (s *Service) Locked(_ context.Context, e messaging.Locked, tell outbox.Tell) error {
	s.Tokens.Forget(e.User)
	tell(messaging.ForAccount{Account: e.User, Ended: true})
	return nil
}
