package community

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/systems/communities"
)

// HandOver makes the longest-standing other member the founder of each community that a user
// has founded. One without other members is deleted, after abandon has deleted its chats.
func (s *Service) HandOver(ctx context.Context, id communities.UserID, abandon func(ctx context.Context, in communities.CommunityID) error) error {
	var founded []communities.CommunityID
	for m, err := range page.All(page.Of(ctx, s.Store.Memberships, id)) {
		if err != nil {
			return err
		}
		if m.IsFounder {
			founded = append(founded, m.CommunityID)
		}
	}
	for _, of := range founded {
		if err := s.handOver(ctx, of, id, abandon); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) handOver(
	ctx context.Context, of communities.CommunityID, founder communities.UserID, abandon func(ctx context.Context, in communities.CommunityID) error,
) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		facts, err := s.Store.Facts(ctx, communities.Wanted{Communities: []communities.CommunityID{of}})
		c := facts.Communities[of]
		if c == nil || err != nil || c.FounderID != founder {
			return err
		}
		heir, err := s.heir(ctx, c)
		if err != nil {
			return err
		}
		if heir != nil {
			return s.Store.Transfer(ctx, c, heir.UserID)
		}
		if c.ChatCount > 0 {
			if err := abandon(ctx, of); err != nil {
				return err
			}
		}
		return s.Store.Delete(ctx, c, a.Emit(communities.CommunityDeleted{CommunityID: of})...)
	})
}

// heir returns the longest-standing member other than the founder, or nil.
func (s *Service) heir(ctx context.Context, c *communities.Community) (heir *communities.CommunityMember, err error) {
	for m, err := range page.All(page.Of(ctx, s.Store.Members, c.ID)) {
		if err != nil {
			return nil, err
		}
		if m.UserID != c.FounderID && (heir == nil || m.JoinedAt.Before(heir.JoinedAt)) {
			heir = m
		}
	}
	return heir, nil
}
