package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Apply stores a step of a chat, and e. It fails with ErrTaken if the id of a new chat is in
// use, with ErrMessageTaken if the id of a new message is, and with Conflict if the chat or
// its members have changed or a joining user is no longer active. Two users can join a
// direct chat only if they have none, or else it is a Conflict whatever ids are in use, and
// neither blocks the other.
func (s *Chats) Apply(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error {
	var paired, created keyspec.Action
	var taken []keyspec.Action
	err := s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		paired, created, taken = apply(tx, of, step)
		ops.Record(tx, e...)
	})
	return stored.Outcome(err, stored.On(refusal.ErrChanged, paired), stored.On(refusal.ErrTaken, created), stored.On(social.ErrMessageTaken, taken...))
}

// apply adds a step to a transaction. It returns the actions that make a new chat the direct
// one of its users and that create it, nil if there are none, and those that create messages.
func apply(tx *keyspec.Tx, of *memberships, step *social.ChatStep) (paired, created keyspec.Action, taken []keyspec.Action) {
	after := *step.After
	if step.Before == nil {
		after.UserCount, after.MessagesCount = 0, 0
		created = chats.Create(tx, after)
		if step.After.Type == social.ChatDirect {
			pair := step.After.Pair
			paired = directChats.Create(tx, directChatItem{UserID1: pair.First, UserID2: pair.Second, ChatID: step.After.ChatID})
			for _, block := range []keyspec.Key{blockKey(pair.First, pair.Second), blockKey(pair.Second, pair.First)} {
				blocks.Check(tx, block).If("attribute_not_exists(blockedAt) OR blockedAt < ?", step.Since)
			}
			me := step.After.CreatedByUserID
			other := pair.First
			if other == me {
				other = pair.Second
			}
			matches.Check(tx, matchKey(me, other)).If("attribute_not_exists(status) OR status = ? OR blockChatExpiredAt <= ? OR createdAt < ?",
				social.ConfirmedMatch, step.After.CreatedAt, step.Since)
		}
	} else {
		on := chats.Update(tx, chatKey(step.After.ChatID)).
			If("attribute_not_exists(lastMessageActivityAt) OR lastMessageActivityAt < ?", after.LastMessageActivityAt).
			If("userCount = ?", step.Before.UserCount)
		journal(on, step)
		on.Set("lastMessageActivityAt", after.LastMessageActivityAt)
		if step.Renamed {
			on.Set("name", step.After.Name)
		}
	}
	for _, move := range step.Moves {
		if move.Changes() {
			of.move(tx, move)
		}
	}
	enter(tx, step)
	takeCase(tx, step)
	taken = make([]keyspec.Action, len(step.Added))
	for i, m := range step.Added {
		taken[i] = chatMessages.Create(tx, storedMessage(m))
		chatMessageCounts.Moved(tx, nil, m)
		if m.UserID != "" {
			profiles.Update(tx, profileKey(m.UserID)).If(hadProfile, m.CreatedAt).Shift("chatMessagesCreationCount", 1)
		}
	}
	return paired, created, taken
}
