package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Chats stores chats, their members and messages, and all counters of these.
type Chats struct{ db *keyspec.DB }

// Facts returns those chats that exist, with the viewer's membership and the details in d,
// in one batch. The ids must be distinct.
func (s *Chats) Facts(ctx context.Context, viewer social.UserID, ids []social.ChatID, d social.Detail) (map[social.ChatID]social.ChatFacts, error) {
	b := s.db.NewBatch()
	found := chats.FetchEach(b, len(ids), func(i int) keyspec.Key { return chatKey(ids[i]) })
	members := chatMembers.FetchEach(b, len(ids), func(i int) keyspec.Key { return memberKey(ids[i], viewer) })
	flagged := fetchMarks(b, chatFlags, d.Has(social.FlagMark), ids, viewer)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	facts := make(map[social.ChatID]social.ChatFacts, len(ids))
	var direct []*social.Chat
	for i, id := range ids {
		chat := found.At(i)
		if chat == nil {
			continue
		}
		f := social.ChatFacts{Viewer: viewer, Read: d & social.FlagMark, Chat: chat.chat(), Flagged: flagsSince(flagged.at(i), chat.CreatedAt.Time())}
		if m := members.At(i); m != nil {
			f.Member = m.membership()
			if f.Chat.Type == social.ChatDirect {
				direct = append(direct, f.Chat)
			}
		}
		facts[id] = f
	}
	return facts, s.whoIsGone(ctx, direct, facts)
}

// whoIsGone adds the users of direct chats who no longer have the profile they had when the
// chat was created.
func (s *Chats) whoIsGone(ctx context.Context, direct []*social.Chat, facts map[social.ChatID]social.ChatFacts) error {
	if len(direct) == 0 {
		return nil
	}
	users := map[social.UserID]*profileItem{}
	var ids []social.UserID
	for _, chat := range direct {
		for _, id := range []social.UserID{chat.Pair.First, chat.Pair.Second} {
			if _, known := users[id]; !known {
				users[id] = nil
				ids = append(ids, id)
			}
		}
	}
	if err := s.profiles(ctx, ids, users); err != nil {
		return err
	}
	for _, chat := range direct {
		f := facts[chat.ChatID]
		for _, id := range []social.UserID{chat.Pair.First, chat.Pair.Second} {
			if !users[id].had(chat.CreatedAt) {
				f.Gone = append(f.Gone, id)
			}
		}
		facts[chat.ChatID] = f
	}
	return nil
}

// profiles reads the profiles of users into a map.
func (s *Chats) profiles(ctx context.Context, ids []social.UserID, into map[social.UserID]*profileItem) error {
	b := s.db.NewBatch()
	found := profiles.FetchEach(b, len(ids), func(i int) keyspec.Key { return profileKey(ids[i]) })
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i, id := range ids {
		into[id] = found.At(i)
	}
	return nil
}

// had reports whether the profile is the one that its user had at a time. A nil profile is
// not.
func (p *profileItem) had(at time.Time) bool {
	return p != nil && p.SignedUpAt <= keyspec.StampOf(at)
}

// Direct returns the id of the direct chat of two users, or "" if they have none.
func (s *Chats) Direct(ctx context.Context, pair social.ChatPair) (social.ChatID, error) {
	item, err := directChats.Get(ctx, s.db, directKey(pair))
	if item == nil || err != nil {
		return "", err
	}
	return item.ChatID, nil
}

// ByUser returns the memberships of a user, latest activity first, from K2.
func (s *Chats) ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error) {
	return stored.List(ctx, s.db, chatMembers.Begins(K2, string(user)), q, true, (*chatMemberItem).membership)
}

// Memberships returns the memberships of a user, earliest activity first, from K2. Activity
// during the iteration moves a membership towards the end, so that none is missed.
func (s *Chats) Memberships(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error) {
	return stored.List(ctx, s.db, chatMembers.Begins(K2, string(user)), q, false, (*chatMemberItem).membership)
}

// Members returns all members of a chat.
func (s *Chats) Members(ctx context.Context, id social.ChatID) ([]social.ChatMember, error) {
	var members []social.ChatMember
	for item, err := range chatMembers.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		members = append(members, *item.membership())
	}
	return members, nil
}

// MembersPage returns the members of a chat, latest to join first, from K1.
func (s *Chats) MembersPage(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error) {
	return stored.List(ctx, s.db, chatMembers.Begins(K1, string(id)), q, true, (*chatMemberItem).membership)
}

// Messages returns the messages of a chat from A1, in either order of creation.
func (s *Chats) Messages(ctx context.Context, id social.ChatID, q page.Query, reverse bool) (page.Page[*social.ChatMessage], error) {
	return stored.List(ctx, s.db, chatMessages.Begins(A1, string(id)), q, reverse, (*chatMessageItem).message)
}

// Message returns a message, or nil if it does not exist.
func (s *Chats) Message(ctx context.Context, id social.ChatMessageID) (*social.ChatMessage, error) {
	item, err := chatMessages.Get(ctx, s.db, messageKey(id))
	if item == nil || err != nil {
		return nil, err
	}
	return item.message(), nil
}

// MessageFacts returns the facts of messages in a chat, with the details in d. It makes at
// most one batch request.
func (s *Chats) MessageFacts(ctx context.Context, viewer social.UserID, chat social.ChatID, of []*social.ChatMessage, d social.Detail) ([]social.ChatMessageFacts, error) {
	ids := make([]social.ChatMessageID, len(of))
	for i, m := range of {
		ids[i] = m.MessageID
	}
	b := s.db.NewBatch()
	flagged := fetchMarks(b, chatMessageFlags, d.Has(social.FlagMark), ids, viewer)
	views := fetchMarks(b, chatViews, d.Has(social.ViewMark), []social.ChatID{chat}, viewer)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var viewedAt time.Time
	if view := views.at(0); view != nil {
		viewedAt = view.LastViewedAt.Time()
	}
	facts := make([]social.ChatMessageFacts, len(of))
	for i, m := range of {
		facts[i] = social.ChatMessageFacts{
			Viewer: viewer, Read: d & (social.FlagMark | social.ViewMark | social.TaggedUsers),
			Message: m, Flagged: flagsSince(flagged.at(i), m.CreatedAt), ChatViewedAt: viewedAt,
		}
	}
	return facts, nil
}

// Take stores a step of a chat, and e. It fails with ErrTaken if the id of a new chat is in
// use, with ErrMessageTaken if the id of a new message is, and with Conflict if the chat or
// its members have changed or a joining user is no longer active. Two users can join a
// direct chat only if they have none and neither blocks the other.
func (s *Chats) Take(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error {
	var created keyspec.Action
	var taken []keyspec.Action
	err := s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		created, taken = take(tx, of, step)
		ops.Record(tx, e...)
	})
	if created != nil && keyspec.Refused(err, created) {
		return refusal.ErrTaken
	}
	for _, message := range taken {
		if keyspec.Refused(err, message) {
			return social.ErrMessageTaken
		}
	}
	return stored.Outcome(err)
}

// take adds a step to a transaction. It returns the actions that create the chat, nil if it
// exists, and the messages.
func take(tx *keyspec.Tx, of *memberships, step *social.ChatStep) (created keyspec.Action, taken []keyspec.Action) {
	after := chatItemOf(step.After)
	if step.Before == nil {
		after.UserCount, after.MessagesCount = 0, 0
		created = chats.Create(tx, after)
		if step.After.Type == social.ChatDirect {
			pair := step.After.Pair
			directChats.Create(tx, directChatItem{UserID1: pair.First, UserID2: pair.Second, ChatID: step.After.ChatID})
			blocks.Check(tx, blockKey(pair.First, pair.Second)).Absent()
			blocks.Check(tx, blockKey(pair.Second, pair.First)).Absent()
			me := step.After.CreatedByUserID
			other := pair.First
			if other == me {
				other = pair.Second
			}
			matches.Check(tx, matchKey(me, other)).If("attribute_not_exists(status) OR status = ? OR blockChatExpiredAt <= ?",
				social.ConfirmedMatch, keyspec.StampOf(step.After.CreatedAt))
		}
	} else {
		on := chats.Update(tx, chatKey(step.After.ChatID)).
			If("attribute_not_exists(lastMessageActivityAt) OR lastMessageActivityAt < ?", after.LastMessageActivityAt)
		if !step.Before.Large() || step.Moved() {
			on.If("userCount = ?", step.Before.UserCount)
		}
		journal(on, step)
		on.Set("lastMessageActivityAt", after.LastMessageActivityAt)
		if step.Before.Name != step.After.Name {
			on.Set("name", step.After.Name)
		}
	}
	for _, move := range step.Moves {
		if move.Changes() {
			of.move(tx, move)
		}
	}
	enter(tx, step)
	taken = make([]keyspec.Action, len(step.Added))
	for i, m := range step.Added {
		item := chatMessageItemOf(m)
		taken[i] = chatMessages.Create(tx, item)
		chatMessageCounts.Moved(tx, nil, &item)
		if m.UserID != "" {
			profiles.Update(tx, profileKey(m.UserID)).If(hadProfile, item.CreatedAt).Shift("chatMessagesCreationCount", 1)
		}
	}
	return created, taken
}

func chatKey(id social.ChatID) keyspec.Key { return chats.Key(string(id)) }

func messageKey(id social.ChatMessageID) keyspec.Key { return chatMessages.Key(string(id)) }

func memberKey(id social.ChatID, user social.UserID) keyspec.Key {
	return chatMembers.Key(string(id), string(user))
}

func directKey(pair social.ChatPair) keyspec.Key {
	return directChats.Key(string(pair.First), string(pair.Second))
}

func (i *chatItem) chat() *social.Chat {
	return &social.Chat{
		ChatID:                i.ChatID,
		Type:                  i.ChatType,
		Name:                  i.Name,
		CreatedByUserID:       i.CreatedByUserID,
		CreatedAt:             i.CreatedAt.Time(),
		LastMessageActivityAt: i.LastMessageActivityAt.Time(),
		FlagCount:             i.FlagCount,
		MessagesCount:         i.MessagesCount,
		UserCount:             i.UserCount,
		JournalAt:             i.JournalAt.Time(),
		Pair:                  social.ChatPair{First: i.UserID1, Second: i.UserID2},
	}
}

func chatItemOf(c *social.Chat) chatItem {
	return chatItem{
		ChatID:                c.ChatID,
		ChatType:              c.Type,
		Name:                  c.Name,
		CreatedByUserID:       c.CreatedByUserID,
		CreatedAt:             keyspec.StampOf(c.CreatedAt),
		LastMessageActivityAt: keyspec.StampOf(c.LastMessageActivityAt),
		FlagCount:             c.FlagCount,
		MessagesCount:         c.MessagesCount,
		UserCount:             c.UserCount,
		JournalAt:             keyspec.StampOf(c.JournalAt),
		UserID1:               c.Pair.First,
		UserID2:               c.Pair.Second,
	}
}

func (i *chatMemberItem) membership() *social.ChatMember {
	return &social.ChatMember{
		ChatID:                i.ChatID,
		UserID:                i.UserID,
		JoinedAt:              i.JoinedAt.Time(),
		LastMessageActivityAt: i.LastMessageActivityAt.Time(),
		MessagesUnviewedCount: i.MessagesUnviewedCount,
		JournalAt:             i.JournalAt.Time(),
	}
}

func memberItemOf(m *social.ChatMember) *chatMemberItem {
	return &chatMemberItem{
		ChatID:                m.ChatID,
		UserID:                m.UserID,
		JoinedAt:              keyspec.StampOf(m.JoinedAt),
		LastMessageActivityAt: keyspec.StampOf(m.LastMessageActivityAt),
		MessagesUnviewedCount: m.MessagesUnviewedCount,
		JournalAt:             keyspec.StampOf(m.JournalAt),
	}
}

func (i *chatMessageItem) message() *social.ChatMessage {
	return &social.ChatMessage{
		MessageID:    i.MessageID,
		ChatID:       i.ChatID,
		UserID:       i.UserID,
		CreatedAt:    i.CreatedAt.Time(),
		LastEditedAt: i.LastEditedAt.Time(),
		FlagCount:    i.FlagCount,
		Text:         i.Text,
		TextTags:     textTagsOf(i.TextTags),
	}
}

func chatMessageItemOf(m *social.ChatMessage) chatMessageItem {
	return chatMessageItem{
		MessageID:    m.MessageID,
		ChatID:       m.ChatID,
		UserID:       m.UserID,
		CreatedAt:    keyspec.StampOf(m.CreatedAt),
		LastEditedAt: keyspec.StampOf(m.LastEditedAt),
		FlagCount:    m.FlagCount,
		Text:         m.Text,
		TextTags:     textTagItems(m.Text, m.TextTags),
	}
}
