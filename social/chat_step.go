package social

import "time"

// ChatStep is what one decision makes of a chat: of itself, its members and its messages.
// Everything in it is stored together or not at all.
type ChatStep struct {
	// Before is the chat on which was decided, nil for a new one.
	Before *Chat
	After  *Chat
	Moves  []ChatMove
	Added  []*ChatMessage
	// Entries are new in the journal of a large group, whose members Moves need not name, and
	// Later are users who join it behind the decision.
	Entries []ChatEntry
	Later   []UserID
	// JoinedAt is when those do.
	JoinedAt time.Time
	// tos are the readers of the messages in Added.
	tos [][]UserID
}

// ChatMove is what becomes of a member: one without Before joins, one without After leaves.
type ChatMove struct {
	Before, After *ChatMember
	// Gone says that the profile which the member had is gone: nothing is counted for it, nor
	// for another that the user may have by now.
	Gone bool
}

// Changes reports whether anything becomes of the member.
func (m ChatMove) Changes() bool {
	return m.Before == nil || m.After == nil || *m.Before != *m.After
}

// Moved reports whether anybody joins or leaves.
func (s *ChatStep) Moved() bool {
	for _, m := range s.Moves {
		if m.Before == nil || m.After == nil {
			return true
		}
	}
	return len(s.Later) > 0
}

// NewChat begins a chat without members.
func NewChat(c Chat) *ChatStep { return &ChatStep{After: &c} }

// Step begins a change of the chat with all its members.
func (c *Chat) Step(members []ChatMember) *ChatStep {
	after := *c
	s := &ChatStep{Before: c, After: &after}
	for i := range members {
		m := members[i]
		s.Moves = append(s.Moves, ChatMove{Before: &members[i], After: &m})
	}
	return s
}

// Join makes a user a member.
func (s *ChatStep) Join(user UserID, at time.Time) {
	s.After.UserCount++
	s.Moves = append(s.Moves, ChatMove{After: NewChatMember(s.After, user, at)})
}

// NewChatMember is a user who joins a chat, before they have counted anything in it.
func NewChatMember(c *Chat, user UserID, at time.Time) *ChatMember {
	m := &ChatMember{ChatID: c.ChatID, UserID: user, JoinedAt: at, LastMessageActivityAt: at}
	if c.Large() {
		m.JournalAt = at.Add(-time.Microsecond)
	}
	return m
}

// Leave ends the membership of a user.
func (s *ChatStep) Leave(user UserID) {
	for i, m := range s.Moves {
		if m.After != nil && m.After.UserID == user {
			s.After.UserCount--
			s.Moves[i].After = nil
		}
	}
}

// LeaveAll ends the memberships of all who are left.
func (s *ChatStep) LeaveAll() {
	for i := range s.Moves {
		s.Moves[i].After = nil
	}
	s.After.UserCount = 0
}

// Vanish ends the membership of a user whose profile is gone. It reports false when they are
// no member.
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

// Rename gives the chat another name, empty for none.
func (s *ChatStep) Rename(name string) { s.After.Name = name }

// Say adds a message for those who are members by now. All but its author have not viewed it.
func (s *ChatStep) Say(m ChatMessage) {
	m.ChatID = s.After.ChatID
	s.After.LastMessageActivityAt = m.CreatedAt
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

// Unsay takes a message away at a time, of those who have not viewed the chat since too.
func (s *ChatStep) Unsay(m ChatMessage, viewedAt map[UserID]time.Time, at time.Time) {
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

// Readers are the members after the step, but for an author.
func (s *ChatStep) Readers(author UserID) []UserID {
	var to []UserID
	for _, move := range s.Moves {
		if move.After != nil && move.After.UserID != author {
			to = append(to, move.After.UserID)
		}
	}
	return to
}

// Told returns the events of the messages that the step adds, and of the users who have one
// more or one less chat with messages that they have not viewed.
func (s *ChatStep) Told() (added []ChatMessageAdded, unviewed []UserID) {
	for i, m := range s.Added {
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

// Member returns a user as they are a member after the step, nil for one who is none.
func (s *ChatStep) Member(user UserID) *ChatMember {
	for _, m := range s.Moves {
		if m.After != nil && m.After.UserID == user {
			return m.After
		}
	}
	return nil
}

// Facts are the facts about the chat as its viewer, who knew it before or began it, knows
// it after the step. Who has just left is shown the chat once more.
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
