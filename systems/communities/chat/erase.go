package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// ErasePrivate deletes the private chats of an erased user, some messages at a time: everything
// in them is from them or to them.
func (s *Service) ErasePrivate(ctx context.Context, e communities.UserDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Of(ctx, communities.Private, e.UserID, page.Query{First: 1})
	if err != nil || len(p.Items) == 0 {
		return "", 0, err
	}
	rows, _, err = s.Store.ForgetPrivate(ctx, p.Items[0].Chat.ID)
	return "more", rows, err
}

// Abandon deletes the group chats of a community in which nobody is left but its founder.
func (s *Service) Abandon(ctx context.Context, in communities.CommunityID, founder communities.UserID) error {
	var all []communities.ChatRef
	for id, err := range page.All(page.Of(ctx, s.Pointers.Chats, in)) {
		if err != nil {
			return err
		}
		all = append(all, communities.GroupRef(id))
	}
	for _, ref := range all {
		err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
			facts, err := s.Store.Facts(ctx, communities.Wanted{Chats: []communities.ChatRef{ref}})
			if err != nil || facts.Chats[ref] == nil {
				return err
			}
			return s.delete(ctx, a, facts.Chats[ref], nil, founder)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
