package message

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// React sets the viewer's reaction to a message.
func (s *Service) React(
	ctx context.Context,
	v viewer.Viewer,
	ref communities.ChatRef,
	id string,
	t communities.ReactionType,
) (*communities.SeenMessage, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenMessage, error) {
		r, err := s.enter(ctx, v, ref, communities.ReadMessages, id)
		if err != nil {
			return nil, err
		}
		m := r.messages[id]
		if m == nil || m.Deleted {
			return nil, communities.ErrNoMessage
		}
		reaction := communities.Reaction{UserID: v.UserID, Type: t, At: s.Now()}
		e := r.happened(communities.ReactionSet, m.Moment)
		e.React = &reaction
		if err := s.Store.React(ctx, m, reaction, a.Emit(e)...); err != nil {
			return nil, err
		}
		m.Reactions[v.UserID] = reaction
		return r.seen(m), nil
	})
}

// Unreact removes the viewer's reaction.
func (s *Service) Unreact(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenMessage, error) {
		r, err := s.enter(ctx, v, ref, communities.ReadMessages, id)
		if err != nil {
			return nil, err
		}
		m := r.messages[id]
		if m == nil || m.Deleted {
			return nil, communities.ErrNoMessage
		}
		if _, reacted := m.Reactions[v.UserID]; !reacted {
			return nil, communities.ErrNoReaction
		}
		if err := s.Store.Unreact(ctx, m, v.UserID, a.Emit(r.happened(communities.ReactionRemoved, m.Moment))...); err != nil {
			return nil, err
		}
		delete(m.Reactions, v.UserID)
		return r.seen(m), nil
	})
}

// cleaned is the number of reactions removed at a time.
const cleaned = 25

// UserDeleted removes the reactions of a deleted user, some at a time.
func (s *Service) UserDeleted(ctx context.Context, e communities.UserDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Reacted(ctx, e.UserID, page.Query{First: cleaned})
	if err != nil {
		return "", 0, err
	}
	for _, m := range p.Items {
		if err := s.Store.ForgetReaction(ctx, m, e.UserID); err != nil {
			return "", 0, err
		}
	}
	if p.Next != "" {
		next = "more"
	}
	return next, len(p.Items), nil
}
