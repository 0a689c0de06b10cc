package communities

import (
	"cmp"
	"slices"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/optional"
)

// ReactionType is a type of reaction to a message.
type ReactionType string

// ReactionTypes lists the types in the order of the schema.
var ReactionTypes = []ReactionType{"LIKE", "LAUGH", "HEART", "SAD", "EYES", "WOW", "ANGRY"}

// Reaction is a user's reaction to a message.
type Reaction struct {
	UserID UserID       `dynamo:"-"`
	Type   ReactionType `dynamo:"Type"`
	At     time.Time    `dynamo:"CreatedAt"`
}

// MessageRef identifies a message.
type MessageRef struct {
	Chat ChatRef `dynamo:"-"`
	Moment
}

// Message is a message in a chat. A deleted one is a tombstone without content and
// reactions.
type Message struct {
	MessageRef
	AuthorID UserID    `dynamo:"AuthorId"`
	Content  string    `dynamo:"Content"`
	EditedAt time.Time `dynamo:"EditedAt"`
	// Edited is stored as the design spells it.
	Edited    bool                `dynamo:"Editted,zero"`
	Read      bool                `dynamo:"Read,zero"`
	Deleted   bool                `dynamo:"Deleted,zero"`
	ReplyTo   Moment              `dynamo:"-"`
	ClientID  string              `dynamo:"ClientId"`
	Reactions map[UserID]Reaction `dynamo:"Reactions"`
	// Held is set while nobody but the author may know of the message. It remains so if it is
	// deleted meanwhile.
	Held bool `dynamo:"Held"`
	// Unchecked is set if the message is shown although its content check failed.
	Unchecked bool `dynamo:"Unchecked"`
}

// Counts reports whether the message counts as unread for a member who has not read it.
func (m *Message) Counts(for_ UserID) bool { return !m.Deleted && !m.Held && m.AuthorID != for_ }

// HiddenFrom reports whether the message is held, and a viewer is not its author.
func (m *Message) HiddenFrom(viewer UserID) bool { return m.Held && m.AuthorID != viewer }

// Tombstone returns what remains of the message if it is deleted.
func (m *Message) Tombstone() *Message {
	return &Message{
		MessageRef: m.MessageRef, AuthorID: m.AuthorID, EditedAt: m.EditedAt, Edited: m.Edited, Read: m.Read, Deleted: true,
		ReplyTo: m.ReplyTo, ClientID: m.ClientID, Held: m.Held,
	}
}

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
	message *Message
	viewer  Viewer
	// member is the viewer's membership, nil for moderators without one.
	member *Member
}

// SeenBy returns m as a viewer with a membership of the chat sees it. as is nil for
// moderators without one; other non-members see nil, and so do all but the author while it is held.
func (m *Message) SeenBy(v Viewer, as *Member) *SeenMessage {
	if as == nil && !v.Moderates(m.Chat) || m.HiddenFrom(v.ID) {
		return nil
	}
	m.Chat.belongs(as, v)
	return &SeenMessage{m, v, as}
}

func (s *SeenMessage) ID() string           { return s.message.Opaque() }
func (s *SeenMessage) ChatID() ChatID       { return s.message.Chat.ID }
func (s *SeenMessage) ChatType() ChatType   { return s.message.Chat.Type }
func (s *SeenMessage) CreatedAt() time.Time { return s.message.At }
func (s *SeenMessage) Edited() bool         { return s.message.Edited }
func (s *SeenMessage) Read() bool           { return s.message.Read }
func (s *SeenMessage) Deleted() bool        { return s.message.Deleted }

// AuthorID returns the author.
func (s *SeenMessage) AuthorID() UserID { return s.message.AuthorID }

func (s *SeenMessage) EditedAt() *time.Time { return optional.IfSet(s.message.EditedAt) }

func (s *SeenMessage) Content() *string {
	if s.message.Deleted {
		return nil
	}
	return &s.message.Content
}

func (s *SeenMessage) MyReaction() *ReactionType {
	if r, ok := s.message.Reactions[s.viewer.ID]; ok {
		return &r.Type
	}
	return nil
}

// ClientID returns the client id to the author only.
func (s *SeenMessage) ClientID() *string {
	if s.message.AuthorID != s.viewer.ID {
		return nil
	}
	return optional.IfSet(s.message.ClientID)
}

// RepliesTo returns the message that s replies to, or false if there is none or it is
// hidden from the viewer.
func (s *SeenMessage) RepliesTo() (MessageRef, bool) {
	to := s.message.ReplyTo
	if to.IsZero() || s.member.Hides(to.At) {
		return MessageRef{}, false
	}
	return MessageRef{s.message.Chat, to}, true
}

// Beside returns another message of the chat as the same viewer sees it.
func (s *SeenMessage) Beside(m *Message) *SeenMessage { return m.SeenBy(s.viewer, s.member) }

// Reactors returns the users who have reacted to the message, earliest first.
func (s *SeenMessage) Reactors() []UserID {
	var ids []UserID
	for _, r := range s.message.Ordered() {
		ids = append(ids, r.UserID)
	}
	return ids
}

// Reacted returns the reactions of users who exist, earliest first. users are the
// reactors, nil for those who are gone.
func (s *SeenMessage) Reacted(users []*SeenUser) []*SeenReaction {
	reactions := []*SeenReaction{}
	for i, r := range s.message.Ordered() {
		if u := users[i]; u != nil {
			u.is(r.UserID)
			reactions = append(reactions, &SeenReaction{r, u})
		}
	}
	return reactions
}

// SeenReaction is a reaction with its user, as a viewer sees them.
type SeenReaction struct {
	reaction Reaction
	user     *SeenUser
}

func (s *SeenReaction) User() *SeenUser      { return s.user }
func (s *SeenReaction) Type() ReactionType   { return s.reaction.Type }
func (s *SeenReaction) CreatedAt() time.Time { return s.reaction.At }

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
		n[r.reaction.Type]++
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
	// Case is that of a message which its content check does not allow, or nil.
	Case *desk.CaseStep
}

// Returning is a message about to be shown to a chat as read, after it was held or deleted. Each
// of the members in Unread has one more unread message.
type Returning struct {
	// Was is the message as read, Message as it will be.
	Was, Message *Message
	Chat         *Chat
	Unread       []*Member
	// Counted is set if Unread is complete; otherwise members count the message later.
	Counted bool
	Case    desk.CaseStep
}

// Sent is the error for a message that an earlier call with the same client id has sent.
type Sent struct{ Moment }

func (s Sent) Error() string { return "message " + s.String() + " was sent before" }

// Mark is a position up to which a member has read. Passed is the number of messages up to
// it that they had counted as unread.
type Mark struct {
	Read   string
	Passed int
}

// Span is an interval of a chat's time. Its ends are exclusive, and unbounded if zero.
type Span struct{ After, Before time.Time }
