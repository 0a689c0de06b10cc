package message

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// room is a chat with a viewer in it.
type room struct {
	*communities.Chat
	viewer   communities.Viewer
	member   *communities.Member
	messages map[string]*communities.Message
}

// enter reads a chat and messages of it for a viewer, who must be a member and have a
// permission. To others, a private chat does not exist.
func (s *Service) enter(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, p communities.Permission, messages ...string) (*room, error) {
	r, err := s.look(ctx, v, ref, messages...)
	switch {
	case err != nil:
		return nil, err
	case r.member == nil:
		return nil, communities.ErrNotChatMember
	}
	return r, r.viewer.May(p)
}

// look is like enter, but the viewer need not be a member of a group chat.
func (s *Service) look(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, messages ...string) (*room, error) {
	own := communities.MemberRef{Chat: ref, UserID: v.UserID}
	w := communities.Wanted{Chats: []communities.ChatRef{ref}, Members: []communities.MemberRef{own}}
	for _, id := range messages {
		if m, ok := communities.ParseMoment(id); ok {
			w.Messages = append(w.Messages, communities.MessageRef{Chat: ref, Moment: m})
		}
	}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	r := &room{Chat: facts.Chats[ref], viewer: self, member: facts.Members[own], messages: map[string]*communities.Message{}}
	if r.Chat == nil || r.member == nil && ref.Type == communities.Private {
		return nil, communities.ErrNoChat
	}
	for _, m := range facts.Messages {
		if !r.member.Hides(m.At) && !m.HiddenFrom(v.UserID) {
			r.messages[m.Opaque()] = m
		}
	}
	return r, nil
}

func (r *room) seen(m *communities.Message) *communities.SeenMessage {
	return m.SeenBy(r.viewer, r.member)
}

// happened returns the event for a message.
func (r *room) happened(t communities.ChatEventType, m communities.Moment) communities.ChatHappened {
	return communities.ChatHappened{Chat: r.ChatRef, Type: t, UserID: r.viewer.ID, Message: m}
}
