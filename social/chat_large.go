package social

import "time"

// LargeChat is the largest number of members that a regular group can have. A message in it
// and the counters of all members are stored in one transaction, which is limited to a
// hundred items. In a large group, that transaction writes an entry of the chat's journal
// instead, and a fan-out then brings each member up to date with the journal. A group that
// has become large stays so.
const LargeChat = 45

const (
	// MaxJoinsAtOnce is the number of users who join a large group in the transaction of
	// the decision. The others follow.
	MaxJoinsAtOnce = 26
	// MaxJoins is the maximum number of users added to a group at a time. One system
	// message names them all.
	MaxJoins = 1000
)

// ChatEntry is an entry in a large group's journal: a message was added or deleted.
type ChatEntry struct {
	// At is unique within the chat and orders its entries.
	At time.Time `dynamo:"at,keyonly"`
	// MessageAt is the time of the message. Author is "" for system messages.
	MessageAt time.Time `dynamo:"messageAt"`
	Author    UserID    `dynamo:"userId"`
	// Deleted is set if the message was deleted.
	Deleted bool `dynamo:"deleted"`
}

// Large reports whether members' counters are derived from the chat's journal.
func (c *Chat) Large() bool { return !c.JournalAt.IsZero() }

// Caught returns the member after counting the entries, which are in order. viewedAt is
// when the member last viewed the chat, or zero.
func (m ChatMember) Caught(entries []ChatEntry, viewedAt time.Time) ChatMember {
	for _, e := range entries {
		if !e.At.After(m.JournalAt) || e.At.Before(m.JoinedAt) {
			continue
		}
		m.JournalAt, m.PlacedByChat = e.At, true
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

// Viewed returns the member after viewing the chat.
func (m ChatMember) Viewed(c *Chat, at time.Time) ChatMember {
	m.MessagesUnviewedCount = 0
	if c.Large() {
		m.JournalAt, m.PlacedByChat = c.JournalAt, true
	} else {
		m.ViewedAt = latest(m.ViewedAt, at)
	}
	return m
}

// Grow makes the chat large if that many joining members bring it above the limit.
func (s *ChatStep) Grow(joining, limit int, at time.Time) {
	if !s.After.Large() && s.After.UserCount+joining > limit {
		s.After.JournalAt = at.Add(-time.Microsecond)
	}
}

// JoinLater makes a user join a large group after the transaction of the decision.
func (s *ChatStep) JoinLater(user UserID, at time.Time) {
	s.After.UserCount++
	s.JoinedAt = at
	s.Later = append(s.Later, user)
}

// Know adds members of a large group that the decision concerns.
func (s *ChatStep) Know(members []ChatMember) {
	for i := range members {
		if s.Member(members[i].UserID) == nil {
			m := members[i]
			s.Moves = append(s.Moves, ChatMove{Before: &members[i], After: &m})
		}
	}
}

// enter adds an entry to the journal.
func (s *ChatStep) enter(e ChatEntry) {
	s.Entries = append(s.Entries, e)
	s.After.JournalAt = e.At
}
