package social

import "time"

// LargeChat is how many members a group has before it is large. A message and what it counts
// for each member of a smaller chat are stored in one transaction, which has room for a
// hundred items. In a large one the transaction of a message writes an entry of the chat's
// journal instead, and what follows it brings each member up to date with the journal. A
// group that was large stays large.
const LargeChat = 45

const (
	// MaxJoinsAtOnce is how many users join a large group in the transaction of the decision.
	// The others follow.
	MaxJoinsAtOnce = 40
	// MaxJoins bounds the users who are brought into a group at a time, all of whom one message
	// of the system names.
	MaxJoins = 1000
)

// ChatEntry is what members of a large group count: a message came or went.
type ChatEntry struct {
	// At orders the entries of a chat strictly.
	At time.Time
	// MessageAt is the time of the message, and Author who wrote it, nobody for the system.
	MessageAt time.Time
	Author    UserID
	// Deleted says that it went.
	Deleted bool
}

// Large reports whether members of the chat count by its journal.
func (c *Chat) Large() bool { return !c.JournalAt.IsZero() }

// Caught is the member as they are when they have counted the entries, in their order. They
// last viewed the chat at viewedAt, zero for never.
func (m ChatMember) Caught(entries []ChatEntry, viewedAt time.Time) ChatMember {
	for _, e := range entries {
		if !e.At.After(m.JournalAt) || e.At.Before(m.JoinedAt) {
			continue
		}
		m.JournalAt = e.At
		if !e.Deleted && m.LastMessageActivityAt.Before(e.MessageAt) {
			m.LastMessageActivityAt = e.MessageAt
		}
		switch {
		case e.Author == m.UserID, !viewedAt.Before(e.MessageAt), m.JoinedAt.After(e.MessageAt):
		case !e.Deleted:
			m.MessagesUnviewedCount++
		case m.MessagesUnviewedCount > 0:
			m.MessagesUnviewedCount--
		}
	}
	return m
}

// Viewed is the member as they are when they have viewed the chat, which has a journal if it
// is large.
func (m ChatMember) Viewed(c *Chat) ChatMember {
	m.MessagesUnviewedCount = 0
	if c.Large() {
		m.JournalAt = c.JournalAt
		if m.LastMessageActivityAt.Before(c.LastMessageActivityAt) {
			m.LastMessageActivityAt = c.LastMessageActivityAt
		}
	}
	return m
}

// Grow prepares the chat for so many more members, who join at a time: it becomes large if it
// has to.
func (s *ChatStep) Grow(joining int, at time.Time) {
	if !s.After.Large() && s.After.UserCount+joining > LargeChat {
		s.After.JournalAt = at.Add(-time.Microsecond)
	}
}

// JoinLater makes a user a member of a large group behind the decision.
func (s *ChatStep) JoinLater(user UserID, at time.Time) {
	s.After.UserCount++
	s.JoinedAt = at
	s.Later = append(s.Later, user)
}

// Know adds members of a large group whom the decision concerns.
func (s *ChatStep) Know(members []ChatMember) {
	for i := range members {
		if s.Member(members[i].UserID) == nil {
			m := members[i]
			s.Moves = append(s.Moves, ChatMove{Before: &members[i], After: &m})
		}
	}
}

// enter adds to the journal.
func (s *ChatStep) enter(e ChatEntry) {
	s.Entries = append(s.Entries, e)
	s.After.JournalAt = e.At
}
