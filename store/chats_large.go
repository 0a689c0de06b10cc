package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/kit/together"
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
	case len(step.Entries) == 0: // a message that is held comes or goes
		on.If("attribute_exists(journalAt)")
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

// LargeChatsOf returns the large groups of a user, from the primary key. It may contain chats that
// the user has left.
func (s *Chats) LargeChatsOf(ctx context.Context, user social.UserID) ([]social.ChatID, error) {
	var ids []social.ChatID
	for item, err := range largeMembers.Begins(keyspec.Primary, string(user)).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, item.ChatID)
	}
	return ids, nil
}

// Token returns the token of the page of a user's chats after a membership, which need not be
// stored at the time that it has.
func (s *Chats) Token(m *social.ChatMember) (string, error) {
	return chatMembers.Begins(K2, string(m.UserID)).CursorAfter(m, true)
}

// Place returns the membership that a token of a user's chats follows, with its ids and its time.
// It fails with page.ErrToken if it is no such token.
func (s *Chats) Place(user social.UserID, token string) (*social.ChatMember, error) {
	m, err := chatMembers.Begins(K2, string(user)).ItemBefore(token, true)
	return &m, stored.ListError(err)
}

// catchers is how many members are caught up at a time.
const catchers = 32

// CatchUp stores members of a large group after counting its journal, and e. Members whose profile
// counts another chat with unviewed messages, or one less, or whose chat becomes one of their large
// groups, are stored in a transaction with e, and
// the others after that, one by one: their journalAt protects them. It fails with Conflict if one
// of them has changed; others may have been stored by then.
func (s *Chats) CatchUp(ctx context.Context, moves []social.ChatMove, e ...outbox.Record) error {
	var counted, alone []social.ChatMove
	for _, move := range moves {
		if hasUnviewed(move.Before) != hasUnviewed(move.After) || move.Before.PlacedByChat != move.After.PlacedByChat ||
			move.Before.JournalAt.Equal(move.After.JournalAt) {
			counted = append(counted, move)
		} else {
			alone = append(alone, move)
		}
	}
	err := s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		for _, move := range counted {
			before := move.Before
			of.move(tx, move)
			chatMembers.Update(tx, memberKey(before.ChatID, before.UserID)).If(unviewedExactly(before), before.MessagesUnviewedCount)
		}
		ops.Record(tx, e...)
	})
	if err != nil {
		return stored.Outcome(err)
	}
	return together.Each(ctx, len(alone), catchers, func(ctx context.Context, i int) error { return s.catchUp(ctx, alone[i]) })
}

// catchUp stores a member who has unviewed messages before and after, or none.
func (s *Chats) catchUp(ctx context.Context, move social.ChatMove) error {
	before, after := move.Before, move.After
	tx := s.db.NewTx()
	tx.Alone()
	chatMembers.Update(tx, memberKey(before.ChatID, before.UserID)).
		If(unviewedExactly(before), before.MessagesUnviewedCount).
		If("attribute_not_exists(journalAt) OR journalAt = ?", before.JournalAt).
		Set("journalAt", after.JournalAt).
		Set("messagesUnviewedCount", after.MessagesUnviewedCount)
	return stored.Outcome(tx.Run(ctx))
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
