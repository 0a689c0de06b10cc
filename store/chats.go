package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Chats stores chats, their members and messages, and all counters of these.
type Chats struct{ concurrent }

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
		f := social.ChatFacts{Viewer: viewer, Read: d & social.FlagMark, Chat: chat, Flagged: flagsSince(flagged.at(i), chat.CreatedAt)}
		if m := members.At(i); m != nil {
			f.Member = m
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
	var ids []social.UserID
	for _, chat := range direct {
		ids = append(ids, chat.Pair.First, chat.Pair.Second)
	}
	users, err := stored.Load(ctx, s.db, profiles, ids, profileKey, stored.Same)
	if err != nil {
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

// had reports whether the profile is the one that its user had at a time. A nil profile is
// not.
func (p *profileItem) had(at time.Time) bool {
	return p != nil && !p.SignedUpAt.After(at)
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
	return stored.List(ctx, s.db, chatMembers.Begins(K2, string(user)), q, true, stored.Same)
}

// Memberships returns the memberships of a user, earliest activity first, from K2. Activity
// during the iteration moves a membership towards the end, so that none is missed.
func (s *Chats) Memberships(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error) {
	return stored.List(ctx, s.db, chatMembers.Begins(K2, string(user)), q, false, stored.Same)
}

// Members returns all members of a chat.
func (s *Chats) Members(ctx context.Context, id social.ChatID) ([]social.ChatMember, error) {
	var members []social.ChatMember
	for item, err := range chatMembers.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		members = append(members, item)
	}
	return members, nil
}

// MembersPage returns the members of a chat, latest to join first, from K1.
func (s *Chats) MembersPage(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error) {
	return stored.List(ctx, s.db, chatMembers.Begins(K1, string(id)), q, true, stored.Same)
}

// Messages returns the messages of a chat from A1, in either order of creation.
func (s *Chats) Messages(ctx context.Context, id social.ChatID, q page.Query, reverse bool) (page.Page[*social.ChatMessage], error) {
	return stored.List(ctx, s.db, chatMessages.Begins(A1, string(id)), q, reverse, stored.Same)
}

// Before returns the messages of a chat before a time, newest first, at most n of them.
func (s *Chats) Before(ctx context.Context, id social.ChatID, at time.Time, n int) (page.Page[*social.ChatMessage], error) {
	earlier := chatMessages.Begins(A1, string(id)).To(stamp.MicroOf(at.Add(-time.Microsecond)))
	return stored.List(ctx, s.db, earlier, page.Query{First: n}, true, stored.Same)
}

// Message returns a message, or nil if it does not exist.
func (s *Chats) Message(ctx context.Context, id social.ChatMessageID) (*social.ChatMessage, error) {
	return chatMessages.Get(ctx, s.db, messageKey(id))
}

// MessageFacts returns the facts of messages in a chat, with the details in d. It makes at
// most one batch request.
func (s *Chats) MessageFacts(
	ctx context.Context,
	viewer social.UserID,
	chat social.ChatID,
	of []*social.ChatMessage,
	d social.Detail,
) ([]social.ChatMessageFacts, error) {
	ids := slice.Map(of, func(m *social.ChatMessage) social.ChatMessageID { return m.MessageID })
	b := s.db.NewBatch()
	flagged := fetchMarks(b, chatMessageFlags, d.Has(social.FlagMark), ids, viewer)
	views := fetchMarks(b, chatViews, d.Has(social.ViewMark), []social.ChatID{chat}, viewer)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var viewedAt time.Time
	if view := views.at(0); view != nil {
		viewedAt = view.LastViewedAt
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
