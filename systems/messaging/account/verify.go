package account

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// VerifyTags gives the viewer the tags of the address and the number that they have verified
// with the service's own identity, as a token of it proves. Whoever had them loses them:
// each contact has one holder there, so nobody else can have verified it.
func (s *Service) VerifyTags(ctx context.Context, v viewer.Viewer, token string) (*messaging.SeenUser, error) {
	if _, err := messaging.Admit(ctx, s.Store, v.UserID); err != nil {
		return nil, err
	}
	identity, tags, err := s.verified(ctx, token)
	if err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.SeenUser, error) {
		facts, self, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Tags: tags, Presences: []messaging.UserID{v.UserID}})
		if err != nil {
			return nil, err
		}
		after, err := self.Proven(identity, tags)
		if err != nil {
			return nil, err
		}
		after.UpdatedAt = s.next(self.User)
		losers, err := s.losers(ctx, self.ID, facts.Tags, tags)
		if err != nil {
			return nil, err
		}
		return s.seen(v.UserID, after, facts), s.Store.Prove(ctx, self.User, after, losers)
	})
}

// verified returns whose token it is, and the tags of what they have verified.
func (s *Service) verified(ctx context.Context, token string) (viewer.UserID, []string, error) {
	identity, err := s.Identities.Authenticate(ctx, token)
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused) || err == nil && identity == "":
		return "", nil, messaging.ErrToken
	case err != nil:
		return "", nil, err
	}
	email, phone, _, err := s.Identities.Account(ctx, identity)
	if err != nil {
		return "", nil, err
	}
	tags := messaging.ReachTags(email, phone)
	if len(tags) == 0 {
		return "", nil, messaging.ErrNothingVerified
	}
	return identity, tags, nil
}

// losers returns the other owners of tags, as read and without the tags.
func (s *Service) losers(
	ctx context.Context, self messaging.UserID, owners map[string]messaging.UserID, tags []string,
) (map[*messaging.User]*messaging.User, error) {
	var w messaging.Wanted
	for _, id := range owners {
		if id != self {
			w.Users = append(w.Users, id)
		}
	}
	if len(w.Users) == 0 {
		return nil, nil
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	losers := map[*messaging.User]*messaging.User{}
	for _, u := range facts.Users {
		losers[u] = u.Without(tags)
		losers[u].UpdatedAt = s.next(u)
	}
	return losers, nil
}
