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
		u, err := s.Users.Profile(ctx, id)
		if err != nil {
			return err
		}
		switch {
		case u == nil:
		case u.ChatsWithUnviewedMessagesCount == 0:
			err = s.Withdraw(ctx, social.CardChatActivity.Of(id), tell)
		default:
			err = s.Put(ctx, s.Catalogue.ChatActivity(id, u.ChatsWithUnviewedMessagesCount).Since(u.SignedUpAt), tell)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
