package message

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Listen returns a channel of events in a chat. It is closed when ctx ends, when the viewer
// may no longer read the chat, and when its reader falls behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) (<-chan *communities.SeenChatEvent, error) {
	admit := func(ctx context.Context) error {
		_, err := s.enter(ctx, v, ref, communities.ReadMessages)
		return err
	}
	show := func(ctx context.Context, n *communities.ChatNews) (*communities.SeenChatEvent, bool, error) {
		if n.Gone || n.Type == communities.MemberLeft && n.UserID == v.UserID {
			return nil, true, nil
		}
		seen, err := s.hear(ctx, v, n)
		return seen, false, err
	}
	return outbox.Follow(ctx, s.Bus, communities.ChatSubject(ref), s.Now(), admit, show)
}

// hear returns news as a member sees them, or nil if they are about messages that are hidden or were held.
func (s *Service) hear(ctx context.Context, v viewer.Viewer, n *communities.ChatNews) (*communities.SeenChatEvent, error) {
	if n.Held && n.UserID != v.UserID { // even if the message is shown by now: that is told apart
		return nil, nil
	}
	var ids []string
	if !n.Message.IsZero() {
		ids = append(ids, n.Message.Opaque())
	}
	r, err := s.enter(ctx, v, n.Chat, communities.ReadMessages, ids...)
	if err != nil {
		return nil, err
	}
	var message *communities.SeenMessage
	for _, id := range ids {
		m := r.messages[id]
		if m == nil {
			return nil, nil
		}
		message = r.seen(m)
	}
	facts, err := outbox.Shared(ctx, "user", func(ctx context.Context) (*communities.Facts, error) {
		return s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{n.UserID}})
	})
	if err != nil {
		return nil, err
	}
	var user *communities.SeenUser
	if u := facts.Users[n.UserID]; u.Lives() {
		user = u.SeenBy(r.viewer, s.Now())
	}
	return n.SeenWith(message, user), nil
}

// Typing notifies the chat's subscribers that the viewer is typing. It is not stored.
func (s *Service) Typing(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) error {
	r, err := s.enter(ctx, v, ref, communities.WriteMessages)
	if err != nil {
		return err
	}
	return outbox.Publish(ctx, s.Bus, s.Now(), communities.ChatNews{Chat: r.ChatRef, Type: communities.Typing, UserID: v.UserID})
}

// ChatHappened publishes an event to the chat's subscribers.
func (s *Service) ChatHappened(_ context.Context, e communities.ChatHappened, tell outbox.Tell) error {
	tell(communities.ChatNews{Chat: e.Chat, Type: e.Type, UserID: e.UserID, Message: e.Message, React: e.React, Held: e.Held})
	return nil
}
