package chat

import (
	"context"

	"stoa/internal/kit/together"
	"stoa/internal/outbox"
	"stoa/social"
)

// Subscribe returns a channel of notifications about messages for the viewer, who must be
// userID. See notification.Service.Subscribe.
func (s *Service) Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.ChatMessageNotification, error) {
	return outbox.Listen[social.ChatMessageNotification](ctx, s.Bus, social.ChatMessageSubject(userID), s.Now(), social.CheckSubscriber(v, userID))
}

// Notified returns the message of a notification as its viewer sees it.
func (s *Service) Notified(ctx context.Context, v social.Viewer, n *social.ChatMessageNotification, d social.Detail) (*social.SeenChatMessage, error) {
	f := n.Facts(d)
	if d.Has(social.ViewMark) || d.Has(social.FlagMark) {
		facts, err := s.Store.MessageFacts(ctx, v.UserID, n.Chat.ChatID, []*social.ChatMessage{&n.Stored}, d)
		if err != nil {
			return nil, err
		}
		f = facts[0]
	}
	users, err := s.People.Visible(ctx, v, f.Users(), d|social.BlockedTie)
	if err != nil {
		return nil, err
	}
	return f.Notify(users, n.Chat.Glimpse(v.UserID)), nil
}

// MessageAdded notifies those who were members of the chat, except the author. In a large
// group it also updates their counters.
func (s *Service) MessageAdded(ctx context.Context, e social.ChatMessageAdded, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if e.Chat.Large() {
		return s.tellAll(ctx, social.ChatMessageIsAdded, e.Chat, e.Message, e.Message.CreatedAt, cursor, tell)
	}
	tellOf(social.ChatMessageIsAdded, e.Chat, e.Message, e.To, tell)
	return "", 0, nil
}

func tellOf(t social.ChatMessageNotificationType, c social.Chat, m social.ChatMessage, to []social.UserID, tell outbox.Tell) {
	for _, user := range to {
		tell(social.ChatMessageNotification{UserID: user, Type: t, Chat: c, Stored: m})
	}
}

// readers is the number of profiles that are read at a time.
const readers = 16

// UnviewedChatsChanged notifies users of their number of chats with unviewed messages.
func (s *Service) UnviewedChatsChanged(ctx context.Context, e social.UnviewedChatsChanged, tell outbox.Tell) error {
	users := make([]*social.User, len(e.UserIDs))
	err := together.Each(ctx, len(users), readers, func(ctx context.Context, i int) (err error) {
		users[i], err = s.Users.Profile(ctx, e.UserIDs[i])
		return err
	})
	if err != nil {
		return err
	}
	for _, u := range users {
		if u != nil {
			tell(social.Notification{
				UserID: u.UserID, Type: social.NotifyChatsWithUnviewedCountChanged, UserChatsWithUnviewedMessagesCount: &u.ChatsWithUnviewedMessagesCount,
			})
		}
	}
	return nil
}
