package communities

import (
	"cmp"
	"slices"
	"time"

	"stoa/internal/kit/stamp"
)

// ChatType distinguishes group chats and private chats.
type ChatType string

const (
	Group   ChatType = "GROUP"
	Private ChatType = "PRIVATE"
)

// ChatRef identifies a chat.
type ChatRef struct {
	Type ChatType `dynamo:"-"`
	ID   ChatID   `dynamo:"Id"`
}

// GroupRef and PrivateRef return references to chats of either type.
func GroupRef(id ChatID) ChatRef   { return ChatRef{Group, id} }
func PrivateRef(id ChatID) ChatRef { return ChatRef{Private, id} }

// MemberRef identifies a membership of a chat.
type MemberRef struct {
	Chat   ChatRef `dynamo:"-"`
	UserID UserID  `dynamo:"UserId"`
}

// MinCapacity and MaxCapacity are the bounds of the configured maximum capacity of a group
// chat. DefaultCapacity is the maximum if none is configured.
const (
	MinCapacity     = 2
	MaxCapacity     = 100
	DefaultCapacity = 10
)

// Chat is a group chat or a private chat.
type Chat struct {
	ChatRef
	CreatedAt time.Time `dynamo:"CreatedAt"`
	// LastMessageAt is the time of the latest message; zero if there was none. The next
	// message is later by at least a millisecond.
	LastMessageAt time.Time `dynamo:"LastMessageAt"`
	// LastHeldAt is the same of the messages that were held when they were sent.
	LastHeldAt time.Time `dynamo:"LastHeldAt"`

	// Fields of group chats.
	CommunityID CommunityID `dynamo:"CommunityId"`
	Name        string      `dynamo:"Name"`
	Description string      `dynamo:"Description"`
	Capacity    int         `dynamo:"Capacity"`
	Closed      bool        `dynamo:"Private,zero"` // joined by request
	NumMembers  int         `dynamo:"NumMembers,zero"`
	OwnerID     UserID      `dynamo:"OwnerId"`
	Version     int         `dynamo:"Version"`

	// MemberIDs are the two users of a private chat, sorted.
	MemberIDs []UserID `dynamo:"-"`
}

// Other returns the other user of a private chat.
func (c *Chat) Other(id UserID) UserID {
	for _, other := range c.MemberIDs {
		if other != id {
			return other
		}
	}
	return ""
}

// Next returns the time of the next event in the chat, which is now unless the clock is
// behind the chat.
func (c *Chat) Next(now time.Time) time.Time {
	return Later(now, c.End())
}

// CheckCapacity refuses a capacity that is out of range, with most as the maximum.
func CheckCapacity(capacity, most int) error {
	if capacity < MinCapacity || capacity > most {
		return badInput("INVALID_CAPACITY", "A capacity lies between %d and %d", MinCapacity, most)
	}
	return nil
}

// ChatRole is the role of a member of a group chat.
type ChatRole string

const (
	Owner          ChatRole = "OWNER"
	OrdinaryMember ChatRole = "MEMBER"
)

// Member is a membership of a chat.
type Member struct {
	MemberRef
	CommunityID CommunityID
	JoinedAt    time.Time
	Role        ChatRole
	ReadMark

	// OtherID and HiddenBefore apply to private chats. Messages before HiddenBefore are not
	// visible to the member.
	OtherID      UserID
	HiddenBefore time.Time
}

// ReadMark is the position up to which a member has read a chat, and what was counted since.
type ReadMark struct {
	// Read is the position up to which the member has read, and Counted the one up to which
	// Unread counts. Both are sort keys of messages.
	Read    string `dynamo:"LastReadKey"`
	Counted string `dynamo:"CountedKey"`
	// Unread is the number of messages by others from Read to Counted, without deleted
	// ones. Beyond MaxUnread it may be too high.
	Unread int  `dynamo:"UnreadCount,zero"`
	Muted  bool `dynamo:"Muted,zero"`
	// Lowered is the number of times that Unread was corrected for deleted messages.
	Lowered int `dynamo:"LoweredCount"`
}

// Hides reports whether messages of a time are hidden from the member. m may be nil.
func (m *Member) Hides(at time.Time) bool { return m != nil && at.Before(m.HiddenBefore) }

// Shows returns the span of the messages that are not hidden from the member. m may be nil.
func (m *Member) Shows() Span {
	if m == nil || m.HiddenBefore.IsZero() {
		return Span{}
	}
	return Span{After: m.HiddenBefore.Add(-time.Millisecond)}
}

// messagePrefix is the prefix of sort keys of messages.
const messagePrefix = "MESSAGE#"

// MessageKey returns the sort key of a message. Messages are ordered by it.
func MessageKey(m Moment) string { return messagePrefix + m.String() }

// ReadFrom returns the read position of a member who joins at the given time.
func ReadFrom(at time.Time) string { return messagePrefix + stamp.MilliOf(at) }

// LastRead returns the message that the member has read last, or false if there is none.
func (m *Member) LastRead() (Moment, bool) {
	if len(m.Read) < len(messagePrefix) {
		return Moment{}, false
	}
	return MomentOf(m.Read[len(messagePrefix):])
}

// LastAt returns the time of the latest message, held or not; zero if there was none.
func (c *Chat) LastAt() time.Time {
	if c.LastHeldAt.After(c.LastMessageAt) {
		return c.LastHeldAt
	}
	return c.LastMessageAt
}

// End returns a time after all messages so far, regardless of the clock. Later messages are
// at or after it.
func (c *Chat) End() time.Time { return c.LastAt().Add(time.Millisecond) }

// Joining returns the membership of a user who joins a group chat now.
func (c *Chat) Joining(id UserID, role ChatRole, now time.Time) *Member {
	from := ReadFrom(c.End())
	return &Member{
		MemberRef: MemberRef{c.ChatRef, id}, CommunityID: c.CommunityID, JoinedAt: now, Role: role, ReadMark: ReadMark{Read: from, Counted: from},
	}
}

// Heir returns the member who becomes the owner of a group chat when its owner leaves: the
// one who joined first among those who may act. If there are only banned members, it is one
// of these, as a chat with members has an owner. It returns nil if nobody is left.
func Heir(members []*Member, users map[UserID]*User, leaving UserID) *Member {
	// rank is 0 for those who may act.
	rank := func(m *Member) int {
		switch u := users[m.UserID]; {
		case !u.Lives():
			return 2
		case u.Banned:
			return 1
		}
		return 0
	}
	var heir *Member
	for _, m := range members {
		if m.UserID == leaving {
			continue
		}
		if heir == nil || cmp.Or(cmp.Compare(rank(m), rank(heir)), m.JoinedAt.Compare(heir.JoinedAt), cmp.Compare(m.UserID, heir.UserID)) < 0 {
			heir = m
		}
	}
	return heir
}

// Ruled refuses viewers who are neither the owner of the group chat, nor the founder of its
// community, nor an administrator. in is nil while the community is being deleted.
func (c *Chat) Ruled(v Viewer, in *Community) error {
	if c.OwnerID == v.ID || v.IsAdmin() || in != nil && in.FounderID == v.ID {
		return nil
	}
	return ErrPermission
}

// Pair returns a private chat of two users and its two memberships.
func Pair(a, b UserID, now time.Time) (*Chat, []*Member) {
	c := &Chat{ChatRef: PrivateRef(PrivateChatOf(a, b)), CreatedAt: now, MemberIDs: []UserID{min(a, b), max(a, b)}}
	var members []*Member
	for _, id := range c.MemberIDs {
		m := c.Joining(id, OrdinaryMember, now)
		m.OtherID = c.Other(id)
		members = append(members, m)
	}
	return c, slices.Clip(members)
}
