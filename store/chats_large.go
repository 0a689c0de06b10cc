package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// journal advances the journal of a step's chat. It requires the chat to be large, or not,
// as it was when the step was decided, and the journal to have no entry as late as those of
// the step. Entries therefore become visible in time order.
func journal(on keyspec.Update, step *social.ChatStep) {
	switch {
	case !step.After.Large():
		on.If("attribute_not_exists(journalAt)")
	case !step.Before.Large():
		on.If("attribute_not_exists(journalAt)").Set("journalAt", step.After.JournalAt)
	default:
		on.If("journalAt < ?", step.Entries[0].At).Set("journalAt", step.After.JournalAt)
	}
}

// enter writes the journal entries of a step.
func enter(tx *keyspec.Tx, step *social.ChatStep) {
	for _, e := range step.Entries {
		chatEntries.Create(tx, chatEntryItem{step.After.ChatID, e})
	}
}

// Entries returns the journal of a large group: the changes that some members have yet to
// count.
func (s *Chats) Entries(ctx context.Context, id social.ChatID) ([]social.ChatEntry, error) {
	var entries []social.ChatEntry
	for item, err := range chatEntries.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		entries = append(entries, item.ChatEntry)
	}
	return entries, nil
}

// ForgetEntries removes journal entries that all members have counted.
func (s *Chats) ForgetEntries(ctx context.Context, id social.ChatID, entries []social.ChatEntry) error {
	b := s.db.NewBulk()
	for _, e := range entries {
		chatEntries.DeleteIn(b, chatEntries.Key(string(id), stamp.MicroOf(e.At)))
	}
	return b.Run(ctx)
}

// MembersFrom returns the members of a chat in the order of their ids. It reads the primary
// key, so it includes everybody who joined before the call.
func (s *Chats) MembersFrom(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error) {
	return stored.List(ctx, s.db, chatMembers.Begins(keyspec.Primary, string(id)), q, false, stored.Same)
}

// MembersAmong returns those of the users who are members of a chat.
func (s *Chats) MembersAmong(ctx context.Context, id social.ChatID, users []social.UserID) ([]social.ChatMember, error) {
	b := s.db.NewBatch()
	found := chatMembers.FetchEach(b, len(users), func(i int) keyspec.Key { return memberKey(id, users[i]) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var members []social.ChatMember
	for i := range users {
		if m := found.At(i); m != nil {
			members = append(members, *m)
		}
	}
	return members, nil
}

// CatchUp stores members of a large group after counting its journal, and e. It fails with
// Conflict if one of them has changed.
func (s *Chats) CatchUp(ctx context.Context, moves []social.ChatMove, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		for _, move := range moves {
			before := move.Before
			of.move(tx, move)
			chatMembers.Update(tx, memberKey(before.ChatID, before.UserID)).If(unviewedExactly(before), before.MessagesUnviewedCount)
		}
		ops.Record(tx, e...)
	}))
}

func unviewedExactly(before *social.ChatMember) string {
	if hasUnviewed(before) {
		return "messagesUnviewedCount = ?"
	}
	return "attribute_not_exists(messagesUnviewedCount) OR messagesUnviewedCount = ?"
}

// Join stores new members of a large group, whose journal must be at the same entry as in
// c, and stores e. It fails with Conflict if it is not, or if a user is already a member or
// not active.
func (s *Chats) Join(ctx context.Context, c *social.Chat, members []social.ChatMember, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		chats.Update(tx, chatKey(c.ChatID)).If("createdAt = ? AND journalAt = ?", c.CreatedAt, c.JournalAt)
		for i := range members {
			of.move(tx, social.ChatMove{After: &members[i]})
		}
		ops.Record(tx, e...)
	}))
}

// RemoveMembers removes members of a chat that no longer exists, and stores e. It fails
// with Conflict if one of them has changed.
func (s *Chats) RemoveMembers(ctx context.Context, members []social.ChatMember, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		for i := range members {
			of.remove(tx, &members[i], false)
		}
		ops.Record(tx, e...)
	}))
}
