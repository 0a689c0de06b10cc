package communities

import (
	"cmp"
	"slices"
	"time"
)

// ReactionType is how somebody reacts to a message.
type ReactionType string

// ReactionTypes are in the order of the schema.
var ReactionTypes = []ReactionType{"LIKE", "LAUGH", "HEART", "SAD", "EYES", "WOW", "ANGRY"}

// Reaction is what somebody thinks of a message.
type Reaction struct {
	UserID UserID
	Type   ReactionType
	At     time.Time
}

// MessageRef says where a message is stored.
type MessageRef struct {
	Chat ChatRef
	Moment
}

// Message is something that was written in a chat. A deleted one is a tombstone without
// content and reactions.
type Message struct {
	MessageRef
	AuthorID  UserID
	Content   string
	EditedAt  time.Time
	Edited    bool
	Read      bool
	Deleted   bool
	ReplyTo   Moment
	ClientID  string
	Reactions map[UserID]Reaction
}

// Counts reports whether the message is among those that a member may not have read yet.
func (m *Message) Counts(for_ UserID) bool { return !m.Deleted && m.AuthorID != for_ }

// Ordered are the reactions, the earliest first.
func (m *Message) Ordered() []Reaction {
	all := make([]Reaction, 0, len(m.Reactions))
	for _, r := range m.Reactions {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Reaction) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.UserID, b.UserID)) })
	return all
}

// SeenMessage is a message as a viewer sees it, who may read the chat.
type SeenMessage struct {
	*Message
	Viewer Viewer
	// Hidden is the time before which the viewer sees nothing of the chat.
	Hidden time.Time
}

// SeenBy returns m as a member sees it.
func (m *Message) SeenBy(v Viewer, hidden time.Time) *SeenMessage { return &SeenMessage{m, v, hidden} }

func (s *SeenMessage) ID() string           { return s.Opaque() }
func (s *SeenMessage) ChatID() ChatID       { return s.Chat.ID }
func (s *SeenMessage) ChatType() ChatType   { return s.Chat.Type }
func (s *SeenMessage) CreatedAt() time.Time { return s.At }

func (s *SeenMessage) EditedAt() *time.Time { return orNil(s.Message.EditedAt) }

func (s *SeenMessage) Content() *string {
	if s.Deleted {
		return nil
	}
	return &s.Message.Content
}

func (s *SeenMessage) MyReaction() *ReactionType {
	if r, ok := s.Message.Reactions[s.Viewer.ID]; ok {
		return &r.Type
	}
	return nil
}

// ClientID is shown to whoever gave it.
func (s *SeenMessage) ClientID() *string {
	if s.AuthorID != s.Viewer.ID {
		return nil
	}
	return textOrNil(s.Message.ClientID)
}

// SeenReaction is a reaction with the user behind it.
type SeenReaction struct {
	User      *SeenUser
	Type      ReactionType
	CreatedAt time.Time
}

// ReactionCount is how often a message was reacted to in a way.
type ReactionCount struct {
	Type  ReactionType
	Count int
}

// CountReactions counts by type, in the order of the schema and without zeros.
func CountReactions(reactions []*SeenReaction) []*ReactionCount {
	n := map[ReactionType]int{}
	for _, r := range reactions {
		n[r.Type]++
	}
	counts := []*ReactionCount{}
	for _, t := range ReactionTypes {
		if n[t] > 0 {
			counts = append(counts, &ReactionCount{t, n[t]})
		}
	}
	return counts
}

// Sending is a message that is about to be sent in a chat as read, by a user who may. The
// members, where they are given, are all: each of the others has one unread message more.
type Sending struct {
	Message *Message
	Chat    *Chat
	Members []*Member
}

// Mark is how far a member has read, with what is unread after that.
type Mark struct {
	Read, Counted string
	Unread        int
}

// Span is a part of a chat in time; its ends are excluded, and open where they are zero.
type Span struct{ After, Before time.Time }
