package user

import (
	"context"

	"stoa/internal/kit/refusal"
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
	return self(u), nil
}

func self(u *social.User) *social.SeenUser { return u.See(social.Relation{Self: true}) }

// Visible returns the users among ids that exist, as the viewer sees them: of one who
// blocks the viewer that is little more than the name.
func (s *Service) Visible(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) (map[social.UserID]*social.SeenUser, error) {
	asked := distinct(ids)
	seen := make(map[social.UserID]*social.SeenUser, len(asked))
	if len(asked) == 0 {
		return seen, nil
	}
	facts, err := s.Store.Facts(ctx, v.UserID, asked, d)
	if err != nil {
		return nil, err
	}
	for id, f := range facts {
		seen[id] = f.See()
	}
	return seen, nil
}

// Listed returns the users of a list in its order, without those that are gone or
// block the viewer. An id that stands twice is answered twice.
func (s *Service) Listed(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) ([]*social.SeenUser, error) {
	visible, err := s.Visible(ctx, v, ids, d)
	if err != nil {
		return nil, err
	}
	listed := make([]*social.SeenUser, 0, len(ids))
	for _, id := range ids {
		if u := visible[id]; u != nil && !u.Relation().BlockedBy {
			listed = append(listed, u)
		}
	}
	return listed, nil
}

// distinct returns the ids that can name somebody, each once.
func distinct(ids []social.UserID) []social.UserID {
	if len(ids) == 1 && ids[0].Valid() {
		return ids
	}
	seen := make(map[social.UserID]bool, len(ids))
	kept := make([]social.UserID, 0, len(ids))
	for _, id := range ids {
		if !seen[id] && id.Valid() {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	return kept
}
