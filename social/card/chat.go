package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// UnviewedChatsChanged updates the card with the user's number of chats with unviewed
// messages.
func (s *Service) UnviewedChatsChanged(ctx context.Context, e social.UnviewedChatsChanged, tell outbox.Tell) error {
	for _, id := range e.UserIDs {
		err := s.count(ctx, social.CardChatActivity, id, tell, func(u *social.User) (int, social.NewCard) {
			return u.ChatsWithUnviewedMessagesCount, s.Catalogue.ChatActivity(id, u.ChatsWithUnviewedMessagesCount)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
