package communities

import (
	"cmp"
	"slices"
	"time"
)

// ReactionType is a type of reaction to a message.
type ReactionType string

// ReactionTypes lists the types in the order of the schema.
var ReactionTypes = []ReactionType{"LIKE", "LAUGH", "HEART", "SAD", "EYES", "WOW", "ANGRY"}

// Reaction is a user's reaction to a message.
type Reaction struct {
	UserID UserID
	Type   ReactionType
	At     time.Time
}

// MessageRef identifies a message.
type MessageRef struct {
	Chat ChatRef
	Moment
}

// Message is a message in a chat. A deleted one is a tombstone without content and
// reactions.
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

// Counts reports whether the message counts as unread for a member who has not read it.
func (m *Message) Counts(for_ UserID) bool { return !m.Deleted && m.AuthorID != for_ }

// Ordered returns the reactions, earliest first.
func (m *Message) Ordered() []Reaction {
	all := make([]Reaction, 0, len(m.Reactions))
	for _, r := range m.Reactions {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Reaction) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.UserID, b.UserID)) })
	return all
}

// SeenMessage is a message as a viewer who may read the chat sees it.
type SeenMessage struct {
	*Message
	Viewer Viewer
	// Hidden is the time before which the chat is hidden from the viewer.
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

// ClientID returns the client id to the author only.
func (s *SeenMessage) ClientID() *string {
	if s.AuthorID != s.Viewer.ID {
		return nil
	}
	return textOrNil(s.Message.ClientID)
}

// SeenReaction is a reaction with its user.
type SeenReaction struct {
	User      *SeenUser
	Type      ReactionType
	CreatedAt time.Time
}

// ReactionCount is the number of reactions of a type to a message.
type ReactionCount struct {
	Type  ReactionType
	Count int
}

// CountReactions returns the numbers of reactions by type, in the order of the schema and
// without zeros.
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

// Sending is a message about to be sent by a permitted user in the chat as read. Members,
// if not nil, contains all members, and each one but the author has one more unread
// message.
type Sending struct {
	Message *Message
	Chat    *Chat
	Members []*Member
}

// Mark is the position up to which a member has read, with the number of unread messages
// after it.
type Mark struct {
	Read, Counted string
	Unread        int
}

// Span is an interval of a chat's time. Its ends are exclusive, and unbounded if zero.
type Span struct{ After, Before time.Time }
