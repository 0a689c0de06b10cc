package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// own reads a chat of the viewer, of either type, with their membership. To others, a
// private chat does not exist.
func (s *Service) own(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) (*communities.Chat, *communities.Member, communities.Viewer, error) {
	m := communities.MemberRef{Chat: ref, UserID: v.UserID}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Chats: []communities.ChatRef{ref}, Members: []communities.MemberRef{m}})
	switch {
	case err != nil:
		return nil, nil, self, err
	case facts.Chats[ref] == nil, facts.Members[m] == nil && ref.Type == communities.Private:
		return nil, nil, self, communities.ErrNoChat
	case facts.Members[m] == nil:
		return nil, nil, self, communities.ErrNotChatMember
	}
	return facts.Chats[ref], facts.Members[m], self, nil
}

// Open returns the viewer's private chat with another user, creating it if there is none.
func (s *Service) Open(ctx context.Context, v viewer.Viewer, with communities.UserID) (*communities.SeenPrivate, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenPrivate, error) {
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Users: []communities.UserID{with}})
		if err != nil {
			return nil, err
		}
		other := facts.Users[with]
		switch {
		case with == v.UserID:
			return nil, communities.ErrSelfChat
		case !other.Lives() || other.Banned:
			return nil, communities.ErrNoUser
		}
		seen, err := s.PrivateWith(ctx, v, with)
		if seen != nil || err != nil {
			return seen, err
		}
		if err := self.May(communities.CreatePrivateChat); err != nil {
			return nil, err
		}
		c, members := communities.Pair(v.UserID, with, s.Now())
		if err := s.Store.Open(ctx, c, members); err != nil {
			return nil, err
		}
		return s.Private(ctx, v, c.ID)
	})
}

// PrivateWith returns the viewer's private chat with another user, or nil if there is none.
func (s *Service) PrivateWith(ctx context.Context, v viewer.Viewer, with communities.UserID) (*communities.SeenPrivate, error) {
	return s.Private(ctx, v, communities.PrivateChatOf(v.UserID, with))
}

// Private returns a private chat of the viewer, or nil to others.
func (s *Service) Private(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenPrivate, error) {
	c, m, self, err := s.own(ctx, v, communities.PrivateRef(id))
	if err == communities.ErrNoChat {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c.PrivateSeenBy(self, m), nil
}

// Hide hides all messages so far of a private chat from the viewer.
func (s *Service) Hide(ctx context.Context, v viewer.Viewer, id communities.ChatID) error {
	return decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		c, m, _, err := s.own(ctx, v, communities.PrivateRef(id))
		if err != nil {
			return err
		}
		if c.LastAt().IsZero() {
			return nil
		}
		return s.Store.Hide(ctx, c, m, c.End())
	})
}

// Mute sets whether the viewer is notified of new messages in a chat.
func (s *Service) Mute(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, muted bool) error {
	return decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		_, m, _, err := s.own(ctx, v, ref)
		if err != nil {
			return err
		}
		return s.Store.Mute(ctx, m.MemberRef, muted)
	})
}
