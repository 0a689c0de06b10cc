package user

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/social"
)

// Self returns the viewer's own profile.
func (s *Service) Self(ctx context.Context, v social.Viewer) (*social.SeenUser, error) {
	u, err := s.Store.Profile(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	if u == nil {
		return nil, refusal.NotFoundf("User does not exist")
	}
	return own(v, u), nil
}

// own returns a profile as its user sees it.
func own(v social.Viewer, u *social.User) *social.SeenUser { return social.OwnFacts(v, u).See() }

// Visible returns the users as the viewer sees them, omitting those who do not exist.
// Little more than the name is visible of users who block the viewer.
func (s *Service) Visible(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) (social.SeenUsers, error) {
	return s.visible(ids, func(ids []social.UserID) (map[social.UserID]social.UserFacts, error) {
		return s.Store.Facts(ctx, v.UserID, ids, d)
	})
}

// VisibleTo is Visible for a caller, whose profile is not read again.
func (s *Service) VisibleTo(ctx context.Context, c social.Caller, ids []social.UserID, d social.Detail) (social.SeenUsers, error) {
	return s.visible(ids, func(ids []social.UserID) (map[social.UserID]social.UserFacts, error) {
		return s.Store.FactsFor(ctx, c.User, ids, d)
	})
}

func (s *Service) visible(ids []social.UserID, read func([]social.UserID) (map[social.UserID]social.UserFacts, error)) (social.SeenUsers, error) {
	seen := make(social.SeenUsers, len(ids))
	for _, id := range ids {
		seen[id] = nil
	}
	asked := distinct(ids)
	if len(asked) == 0 {
		return seen, nil
	}
	facts, err := read(asked)
	if err != nil {
		return nil, err
	}
	for id, f := range facts {
		seen[id] = s.FollowedByAll.See(f)
	}
	return seen, nil
}

// Listed returns the users of a list in order, omitting those who are gone or block the
// viewer. Duplicates are kept.
func (s *Service) Listed(ctx context.Context, v social.Viewer, entries []social.Entry, d social.Detail) ([]*social.SeenUser, error) {
	ids := slice.Map(entries, func(e social.Entry) social.UserID { return e.UserID })
	visible, err := s.Visible(ctx, v, ids, d)
	if err != nil {
		return nil, err
	}
	listed := make([]*social.SeenUser, 0, len(entries))
	for _, e := range entries {
		if u := e.Meant(visible); u != nil && !u.Blocking() {
			listed = append(listed, u)
		}
	}
	return listed, nil
}

// distinct returns the possible ids without duplicates.
func distinct(ids []social.UserID) []social.UserID {
	if len(ids) == 1 && ids[0].Possible() {
		return ids
	}
	seen := make(map[social.UserID]bool, len(ids))
	kept := make([]social.UserID, 0, len(ids))
	for _, id := range ids {
		if !seen[id] && id.Possible() {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	return kept
}
