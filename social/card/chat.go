package card

import (
	"context"
	"slices"

	"stoa/internal/kit/together"
	"stoa/internal/outbox"
	"stoa/social"
)

// writers is the number of cards that are changed at a time.
const writers = 16

// UnviewedChatsChanged updates the cards with the users' numbers of chats with unviewed messages, all at
// once: events about other chats of any of them wait meanwhile.
func (s *Service) UnviewedChatsChanged(ctx context.Context, e social.UnviewedChatsChanged, tell outbox.Tell) error {
	told := make([][]outbox.Message, len(e.UserIDs))
	// The failure of one does not cancel the others: a card that is changed must be heard of.
	err := together.Each(ctx, len(e.UserIDs), writers, func(_ context.Context, i int) error {
		id, tell := e.UserIDs[i], func(messages ...outbox.Message) { told[i] = append(told[i], messages...) }
		return s.count(ctx, social.CardChatActivity, id, tell, func(u *social.User) (int, social.NewCard) {
			return u.ChatsWithUnviewedMessagesCount, s.Catalogue.ChatActivity(id, u.ChatsWithUnviewedMessagesCount)
		})
	})
	tell(slices.Concat(told...)...)
	return err
}
