package communities

import (
	"slices"
	"time"
)

// ChatType tells group chats from private ones.
type ChatType string

const (
	Group   ChatType = "GROUP"
	Private ChatType = "PRIVATE"
)

// ChatRef names a chat.
type ChatRef struct {
	Type ChatType
	ID   ChatID
}

// GroupRef and PrivateRef name chats of either type.
func GroupRef(id ChatID) ChatRef   { return ChatRef{Group, id} }
func PrivateRef(id ChatID) ChatRef { return ChatRef{Private, id} }

// MemberRef names a membership of a chat.
type MemberRef struct {
	Chat   ChatRef
	UserID UserID
}

// MinCapacity and MaxCapacity bound what can be configured as the largest capacity of a
// group chat; DefaultCapacity is that without configuration.
const (
	MinCapacity     = 2
	MaxCapacity     = 100
	DefaultCapacity = 10
)

// Chat is where messages are written.
type Chat struct {
	ChatRef
	CreatedAt time.Time
	// LastMessageAt is zero before the first message. Later messages are later, by a
	// millisecond at least.
	LastMessageAt time.Time

	// What follows is of group chats.
	CommunityID CommunityID
	Name        string
	Description string
	Capacity    int
	Closed      bool // entered by request
	NumMembers  int
	OwnerID     UserID
	Version     int

	// MemberIDs are the two users of a private chat, sorted.
	MemberIDs []UserID
}

// Other is the user of a private chat who is not the given one.
func (c *Chat) Other(id UserID) UserID {
	for _, other := range c.MemberIDs {
		if other != id {
			return other
		}
	}
	return ""
}

// Next is when something that happens in the chat at a time counts as having happened.
func (c *Chat) Next(now time.Time) time.Time {
	return Later(now, c.End())
}

// CheckCapacity refuses capacities that a chat cannot have where most are allowed.
func CheckCapacity(capacity, most int) error {
	if capacity < MinCapacity || capacity > most {
		return badInput("INVALID_CAPACITY", "A capacity lies between %d and %d", MinCapacity, most)
	}
	return nil
}

// ChatRole is what a member is to a group chat.
type ChatRole string

const (
	Owner      ChatRole = "OWNER"
	PlainGuest ChatRole = "MEMBER"
)

// Member is somebody in a chat.
type Member struct {
	MemberRef
	CommunityID CommunityID
	JoinedAt    time.Time
	Role        ChatRole
	Muted       bool
	// Read is up to where the member has read, and Counted up to where Unread counts.
	// Both are sort keys of messages.
	Read, Counted string
	// Unread is how many messages by others there are after Read, without deleted ones.
	Unread int

	// OtherID and HiddenBefore are of private chats: messages before that time are not
	// shown to the member.
	OtherID      UserID
	HiddenBefore time.Time
}

// messagePrefix is what sort keys of messages begin with.
const messagePrefix = "MESSAGE#"

// MessageKey is the sort key of a message, in whose order chats are read.
func MessageKey(m Moment) string { return messagePrefix + m.String() }

// ReadFrom is how far somebody has read who starts at a time.
func ReadFrom(at time.Time) string { return messagePrefix + at.UTC().Format(stampLayout) }

// LastRead names the message that the member has read last, false when there is none.
func (m *Member) LastRead() (Moment, bool) {
	if len(m.Read) < len(messagePrefix) {
		return Moment{}, false
	}
	return MomentOf(m.Read[len(messagePrefix):])
}

// End is the time behind all messages so far, whatever the clock says: what comes is of
// that time or later.
func (c *Chat) End() time.Time { return c.LastMessageAt.Add(time.Millisecond) }

// Joining makes somebody a member of a group chat who comes in at a time.
func (c *Chat) Joining(id UserID, role ChatRole, now time.Time) *Member {
	from := ReadFrom(c.End())
	return &Member{
		MemberRef: MemberRef{c.ChatRef, id}, CommunityID: c.CommunityID, JoinedAt: now, Role: role, Read: from, Counted: from,
	}
}

// Heir is who owns a group chat when its owner leaves: who has been there longest. Nil is
// nobody.
func Heir(members []*Member, leaving UserID) *Member {
	var heir *Member
	for _, m := range members {
		if m.UserID == leaving {
			continue
		}
		if heir == nil || m.JoinedAt.Before(heir.JoinedAt) || m.JoinedAt.Equal(heir.JoinedAt) && m.UserID < heir.UserID {
			heir = m
		}
	}
	return heir
}

// Ruled refuses viewers who neither own the group chat nor founded its community nor
// administer the service. Community is nil while it is being deleted.
func (c *Chat) Ruled(v Viewer, in *Community) error {
	if c.OwnerID == v.ID || v.IsAdmin() || in != nil && in.FounderID == v.ID {
		return nil
	}
	return ErrPermission
}

// maxUnread is what unread counts are shown up to.
const maxUnread = 100

// SeenChat is a chat as a viewer sees it, who is the member or, with nil, none.
type SeenChat struct {
	*Chat
	Member *Member
	Viewer Viewer
}

// SeenGroup and SeenPrivate are the two types of chats.
type (
	SeenGroup   struct{ SeenChat }
	SeenPrivate struct{ SeenChat }
)

func (s *SeenChat) LastMessageAt() *time.Time {
	if s.Member != nil && s.Chat.LastMessageAt.Before(s.Member.HiddenBefore) {
		return nil
	}
	return orNil(s.Chat.LastMessageAt)
}

// InGroup and InPrivate give a chat the type that it has in the schema.
func (s SeenChat) InGroup() *SeenGroup     { return &SeenGroup{s} }
func (s SeenChat) InPrivate() *SeenPrivate { return &SeenPrivate{s} }

func (s *SeenGroup) Name() string        { return s.Chat.Name }
func (s *SeenGroup) Description() string { return s.Chat.Description }
func (s *SeenGroup) Private() bool       { return s.Closed }
func (s *SeenGroup) IsFull() bool        { return s.NumMembers >= s.Capacity }
func (s *SeenGroup) IsMember() bool      { return s.Member != nil }

// UnreadCount is nil for others than members.
func (s *SeenGroup) UnreadCount() *int {
	if s.Member == nil {
		return nil
	}
	n := min(s.Member.Unread, maxUnread)
	return &n
}

func (s *SeenPrivate) Name() *string        { return nil }
func (s *SeenPrivate) Description() *string { return nil }
func (s *SeenPrivate) UnreadCount() int     { return min(s.Member.Unread, maxUnread) }

// SeenChatMember is a member with the user behind it.
type SeenChatMember struct {
	User *SeenUser
	*Member
}

func (s *SeenChatMember) LastReadMessageID() *string {
	m, ok := s.LastRead()
	if !ok {
		return nil
	}
	id := m.Opaque()
	return &id
}

// Pair makes a private chat of two users with its two members.
func Pair(a, b UserID, now time.Time) (*Chat, []*Member) {
	c := &Chat{ChatRef: PrivateRef(PrivateChatOf(a, b)), CreatedAt: now, MemberIDs: []UserID{min(a, b), max(a, b)}}
	var members []*Member
	for _, id := range c.MemberIDs {
		m := c.Joining(id, PlainGuest, now)
		m.OtherID = c.Other(id)
		members = append(members, m)
	}
	return c, slices.Clip(members)
}
