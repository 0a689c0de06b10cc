package social

import (
	"time"

	"stoa/internal/desk"
)

// ChatStep is a decision about a chat: its effects on the chat, its members and its
// messages, which are stored together or not at all.
type ChatStep struct {
	// Before is the chat that the decision was based on; nil for a new one.
	Before *Chat
	After  *Chat
	Moves  []ChatMove
	Added  []*ChatMessage
	// Entries are added to a large group's journal, in which case Moves need not have all
	// members. Later are users who join after the decision's transaction, at JoinedAt.
	Entries []ChatEntry
	Later   []UserID
	// JoinedAt is the time at which Later join.
	JoinedAt time.Time
	// Since is when the younger profile of the users of a new direct chat was created. Blocks and
	// matches older than that do not exist, although they may still be stored.
	Since time.Time
	// Renamed is set if the decision is about the chat's name, even if it stays what it was.
	Renamed bool
	// AuthorGone is set if the author of a removed message no longer has the profile that
	// they wrote it with. Their counters are then left alone.
	AuthorGone bool
	// Case is the change of the case of the chat or of a message in it, or nil.
	Case *desk.CaseStep
	// tos has the readers of each message in Added.
	tos [][]UserID
}

// ChatMove is a change to a membership. Without Before, the user joins; without After, they
// leave.
type ChatMove struct {
	Before, After *ChatMember
	// Gone is set if the member's profile no longer exists. Counters are then left alone,
	// as they might belong to a later profile of the same user.
	Gone bool
}

// Changes reports whether the membership changes at all.
func (m ChatMove) Changes() bool {
	return m.Before == nil || m.After == nil || *m.Before != *m.After
}

// NewChat returns a step that creates a chat, without members yet.
func NewChat(c Chat) *ChatStep { return &ChatStep{After: &c} }

// NewDirectChat is NewChat for a direct chat of users the younger profile of whom was created at
// since.
func NewDirectChat(c Chat, since time.Time) *ChatStep { return &ChatStep{After: &c, Since: since} }

// Step returns a step that changes the chat, given all of its members.
func (c *Chat) Step(members []ChatMember) *ChatStep {
	after := *c
	s := &ChatStep{Before: c, After: &after}
	for i := range members {
		m := members[i]
		s.Moves = append(s.Moves, ChatMove{Before: &members[i], After: &m})
	}
	return s
}

// Join adds a member.
func (s *ChatStep) Join(user UserID, at time.Time) {
	s.After.UserCount++
	s.Moves = append(s.Moves, ChatMove{After: NewChatMember(s.After, user, at)})
}

// NewChatMember returns the membership of a user who joins a chat, before anything has been
// counted for them.
func NewChatMember(c *Chat, user UserID, at time.Time) *ChatMember {
	m := &ChatMember{ChatID: c.ChatID, UserID: user, JoinedAt: at, LastMessageActivityAt: at}
	if c.Large() {
		m.JournalAt, m.PlacedByChat = at.Add(-time.Microsecond), true
	}
	return m
}

// Leave removes a member.
func (s *ChatStep) Leave(user UserID) {
	for i, m := range s.Moves {
		if m.After != nil && m.After.UserID == user {
			s.After.UserCount--
			s.Moves[i].After = nil
		}
	}
}

// LeaveAll removes all remaining members.
func (s *ChatStep) LeaveAll() {
	for i := range s.Moves {
		s.Moves[i].After = nil
	}
	s.After.UserCount = 0
}

// Vanish removes a member whose profile no longer exists. It reports whether the user was a
// member.
func (s *ChatStep) Vanish(user UserID) bool {
	for i, m := range s.Moves {
		if m.After != nil && m.After.UserID == user {
			s.After.UserCount--
			s.Moves[i].After, s.Moves[i].Gone = nil, true
			return true
		}
	}
	return false
}

// Rename changes the chat's name; "" removes it.
func (s *ChatStep) Rename(name string) { s.After.Name, s.Renamed = name, true }

// NextMessageAt returns the time of a message sent now. Besides what Chat.NextMessageAt says, it is
// later than the views of the members, who have not seen it.
func (s *ChatStep) NextMessageAt(now time.Time) time.Time {
	for _, m := range s.Moves {
		if m.Before != nil && !now.After(m.Before.ViewedAt) {
			now = m.Before.ViewedAt.Add(time.Microsecond)
		}
	}
	return s.After.NextMessageAt(now)
}

// Say adds a message for those who are members at this point. It is unviewed for all but
// its author. A message that is held changes nothing for them.
func (s *ChatStep) Say(m ChatMessage) {
	m.ChatID = s.After.ChatID
	s.After.LastMessageActivityAt = m.CreatedAt
	if m.Held {
		s.Added, s.tos = append(s.Added, &m), append(s.tos, nil)
		return
	}
	s.After.MessagesCount++
	var to []UserID
	if s.After.Large() {
		s.enter(ChatEntry{At: m.CreatedAt, MessageAt: m.CreatedAt, Author: m.UserID})
		s.Added, s.tos = append(s.Added, &m), append(s.tos, nil)
		return
	}
	for _, move := range s.Moves {
		if move.After == nil {
			continue
		}
		move.After.LastMessageActivityAt = m.CreatedAt
		if move.After.UserID != m.UserID {
			move.After.MessagesUnviewedCount++
			to = append(to, move.After.UserID)
		}
	}
	s.Added, s.tos = append(s.Added, &m), append(s.tos, to)
}

// Refused returns the message added that is held until its content check removes it, or nil.
func (s *ChatStep) Refused() *ChatMessage {
	if s.Case == nil || s.Case.After.Check == nil || s.Case.After.Check.Verdict != desk.CheckRemove {
		return nil
	}
	for _, m := range s.Added {
		if m.Held {
			return m
		}
	}
	return nil
}

// Unsay removes a message, also from the unviewed counts of members who have not viewed the
// chat since. author is the profile that its author has now; nil for none.
func (s *ChatStep) Unsay(m ChatMessage, author *User, viewedAt map[UserID]time.Time, at time.Time) {
	s.AuthorGone = author == nil || author.Former(m.CreatedAt)
	if m.Held {
		return
	}
	s.After.MessagesCount--
	if s.After.Large() {
		s.enter(ChatEntry{At: s.After.NextMessageAt(at), MessageAt: m.CreatedAt, Author: m.UserID, Deleted: true})
		return
	}
	for _, move := range s.Moves {
		if u := move.After; u.UserID != m.UserID && u.MessagesUnviewedCount > 0 && viewedAt[u.UserID].Before(m.CreatedAt) && !u.JoinedAt.After(m.CreatedAt) {
			u.MessagesUnviewedCount--
		}
	}
}

// Restore adds a message again that had been removed, also to the unviewed counts of members
// who have not viewed the chat since.
func (s *ChatStep) Restore(m ChatMessage, viewedAt map[UserID]time.Time, at time.Time) {
	s.After.MessagesCount++
	if s.After.Large() {
		s.enter(ChatEntry{At: s.After.NextMessageAt(at), MessageAt: m.CreatedAt, Author: m.UserID})
		return
	}
	for _, move := range s.Moves {
		if u := move.After; u.UserID != m.UserID && viewedAt[u.UserID].Before(m.CreatedAt) && !u.JoinedAt.After(m.CreatedAt) {
			u.MessagesUnviewedCount++
		}
	}
}

// Readers returns the members after the step, except the author.
func (s *ChatStep) Readers(author UserID) []UserID {
	var to []UserID
	for _, move := range s.Moves {
		if move.After != nil && move.After.UserID != author {
			to = append(to, move.After.UserID)
		}
	}
	return to
}

// MessagesAdded returns the events for the messages added, and the users whose number of chats with
// unviewed messages changes.
func (s *ChatStep) MessagesAdded() (added []ChatMessageAdded, unviewed []UserID) {
	for i, m := range s.Added {
		if m.Held {
			continue
		}
		added = append(added, ChatMessageAdded{Chat: *s.After, Message: *m, To: s.tos[i]})
	}
	for _, m := range s.Moves {
		if !m.Gone && m.Before.unviewed() != m.After.unviewed() {
			unviewed = append(unviewed, m.userID())
		}
	}
	return added, unviewed
}

func (m *ChatMember) unviewed() bool { return m != nil && m.MessagesUnviewedCount > 0 }

func (m ChatMove) userID() UserID {
	if m.Before != nil {
		return m.Before.UserID
	}
	return m.After.UserID
}

// Member returns the user's membership after the step, or nil.
func (s *ChatStep) Member(user UserID) *ChatMember {
	for _, m := range s.Moves {
		if m.After != nil && m.After.UserID == user {
			return m.After
		}
	}
	return nil
}

// Facts returns what the viewer knows about the chat after the step. A viewer who has just
// left is shown the chat once more.
func (s *ChatStep) Facts(before ChatFacts) ChatFacts {
	member := s.Member(before.Viewer)
	if member != nil && len(s.Entries) > 0 {
		caught := member.Caught(s.Entries, time.Time{})
		member = &caught
	}
	if member == nil && before.Member != nil {
		member = &ChatMember{ChatID: s.After.ChatID, UserID: before.Viewer}
	}
	before.Chat, before.Member = s.After, member
	return before
}
