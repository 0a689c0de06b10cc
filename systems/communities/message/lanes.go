package message

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Count updates the unread counts of a large chat after a message was sent or deleted, for
// some members at a time. It can be repeated.
func (s *Service) Count(ctx context.Context, e communities.ChatHappened, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if !e.Uncounted {
		return "", 0, nil
	}
	next, rows, err = "", 0, nil
	err = retry.Run(func() error {
		p, err := s.Members.Members(ctx, e.Chat, page.Query{First: counted, After: cursor})
		if err != nil {
			return err
		}
		next, rows = p.Next, len(p.Items)
		if e.Type == communities.MessageDeleted {
			return s.recount(ctx, e, p.Items)
		}
		ref := communities.MessageRef{Chat: e.Chat, Moment: e.Message}
		facts, err := s.Store.Facts(ctx, communities.Wanted{Messages: []communities.MessageRef{ref}})
		if err != nil {
			return err
		}
		m := facts.Messages[ref]
		if m == nil || m.Deleted {
			return nil
		}
		return s.Store.Count(ctx, m, p.Items)
	})
	return next, rows, err
}

// recount counts again the unread messages of members who had not read a deleted message.
func (s *Service) recount(ctx context.Context, e communities.ChatHappened, members []*communities.Member) error {
	key := communities.MessageKey(e.Message)
	var affected []*communities.Member
	from := ""
	for _, m := range members {
		if m.Read < key && m.Counted >= key && m.UserID != e.UserID {
			affected = append(affected, m)
			if from == "" || m.Read < from {
				from = m.Read
			}
		}
	}
	if len(affected) == 0 {
		return nil
	}
	unread := make([]int, len(affected))
	for q := (page.Query{First: page.Max}); ; {
		p, err := s.Store.Since(ctx, e.Chat, from, q)
		if err != nil {
			return err
		}
		for _, message := range p.Items {
			at := communities.MessageKey(message.Moment)
			for i, m := range affected {
				if at > m.Read && at <= m.Counted && message.Counts(m.UserID) {
					unread[i]++
				}
			}
		}
		if q.After = p.Next; p.Next == "" {
			return s.Store.Recount(ctx, affected, unread)
		}
	}
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

// ChatHappened publishes an event to the chat's subscribers.
func (s *Service) ChatHappened(_ context.Context, e communities.ChatHappened, tell outbox.Tell) error {
	tell(communities.ChatNews{Chat: e.Chat, Type: e.Type, UserID: e.UserID, Message: e.Message, React: e.React})
	return nil
}

// Typing notifies the chat's subscribers that the viewer is typing. It is not stored.
func (s *Service) Typing(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) error {
	r, err := s.enter(ctx, v, ref, communities.WriteMessages)
	if err != nil {
		return err
	}
	return outbox.Publish(ctx, s.Bus, s.Events.Now(), communities.ChatNews{Chat: r.ChatRef, Type: communities.Typing, UserID: v.UserID})
}

// Listen returns a channel of events in a chat. It is closed when ctx ends, when the viewer
// may no longer read the chat, and when its reader falls behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, ref communities.ChatRef) (<-chan *communities.SeenChatEvent, error) {
	admit := func(ctx context.Context) error {
		_, err := s.enter(ctx, v, ref, communities.ReadMessages)
		return err
	}
	return outbox.Follow(ctx, s.Bus, communities.ChatSubject(ref), s.Events.Now(), admit, func(ctx context.Context, n *communities.ChatNews) (*communities.SeenChatEvent, bool) {
		if n.Gone || n.Type == communities.MemberLeft && n.UserID == v.UserID {
			return nil, true
		}
		seen, err := s.hear(ctx, v, n)
		return seen, err != nil
	})
}

// hear returns news as a member sees them, or nil if they are about hidden messages.
func (s *Service) hear(ctx context.Context, v viewer.Viewer, n *communities.ChatNews) (*communities.SeenChatEvent, error) {
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
	facts, err := s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{n.UserID}})
	if err != nil {
		return nil, err
	}
	var user *communities.SeenUser
	if u := facts.Users[n.UserID]; u.Lives() {
		user = u.SeenBy(r.viewer, s.now())
	}
	return n.SeenWith(message, user), nil
}
