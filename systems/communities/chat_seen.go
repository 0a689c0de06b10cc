package communities

import (
	"fmt"
	"time"

	"stoa/internal/kit/optional"
)

// MaxUnread is the largest displayed number of unread messages.
const MaxUnread = 100

// SeenGroup and SeenPrivate are chats of the two types as a viewer sees them.
type (
	SeenGroup   struct{ seenChat }
	SeenPrivate struct{ seenChat }
)

// seenChat is what the two types of chats have in common. member is the viewer's
// membership, nil for non-members.
type seenChat struct {
	chat   *Chat
	member *Member
}

// GroupSeenBy returns a group chat as a viewer sees it. m is their membership, nil for
// non-members.
func (c *Chat) GroupSeenBy(v Viewer, m *Member) *SeenGroup {
	c.belongs(m, v)
	return &SeenGroup{seenChat{c, m}}
}

// PrivateSeenBy returns a private chat as a viewer with a membership sees it, nil for
// others.
func (c *Chat) PrivateSeenBy(v Viewer, m *Member) *SeenPrivate {
	if m == nil {
		return nil
	}
	c.belongs(m, v)
	return &SeenPrivate{seenChat{c, m}}
}

// belongs panics if m is not the membership of the viewer in the chat.
func (c ChatRef) belongs(m *Member, v Viewer) {
	if m != nil && m.MemberRef != (MemberRef{c, v.ID}) {
		panic(fmt.Sprintf("communities: the membership of %s in %s is not that of %s in %s", m.UserID, m.Chat.ID, v.ID, c.ID))
	}
}

// Ref returns the reference of the chat.
func (s *seenChat) Ref() ChatRef { return s.chat.ChatRef }

func (s *seenChat) ID() ChatID           { return s.chat.ID }
func (s *seenChat) CreatedAt() time.Time { return s.chat.CreatedAt }

func (s *seenChat) LastMessageAt() *time.Time {
	if s.member.Hides(s.chat.LastMessageAt) {
		return nil
	}
	return optional.IfSet(s.chat.LastMessageAt)
}

// CommunityID and OwnerID return the community and the owner.
func (s *SeenGroup) CommunityID() CommunityID { return s.chat.CommunityID }
func (s *SeenGroup) OwnerID() UserID          { return s.chat.OwnerID }

func (s *SeenGroup) Name() string        { return s.chat.Name }
func (s *SeenGroup) Description() string { return s.chat.Description }
func (s *SeenGroup) Capacity() int       { return s.chat.Capacity }
func (s *SeenGroup) Private() bool       { return s.chat.Closed }
func (s *SeenGroup) NumMembers() int     { return s.chat.NumMembers }
func (s *SeenGroup) IsFull() bool        { return s.chat.NumMembers >= s.chat.Capacity }
func (s *SeenGroup) IsMember() bool      { return s.member != nil }
func (s *SeenGroup) Version() int        { return s.chat.Version }

// UnreadCount returns nil for non-members.
func (s *SeenGroup) UnreadCount() *int {
	if s.member == nil {
		return nil
	}
	n := min(s.member.Unread, MaxUnread)
	return &n
}

// OtherID returns the other user.
func (s *SeenPrivate) OtherID() UserID { return s.member.OtherID }

func (s *SeenPrivate) Name() *string        { return nil }
func (s *SeenPrivate) Description() *string { return nil }
func (s *SeenPrivate) UnreadCount() int     { return min(s.member.Unread, MaxUnread) }

// SeenChatMember is a membership of a group chat with its user, as another member sees them.
type SeenChatMember struct {
	member *Member
	user   *SeenUser
}

// SeenWith returns the membership with its user, who was seen by another member.
func (m *Member) SeenWith(u *SeenUser) *SeenChatMember {
	u.is(m.UserID)
	return &SeenChatMember{m, u}
}

func (s *SeenChatMember) User() *SeenUser     { return s.user }
func (s *SeenChatMember) Role() ChatRole      { return s.member.Role }
func (s *SeenChatMember) JoinedAt() time.Time { return s.member.JoinedAt }

func (s *SeenChatMember) LastReadMessageID() *string {
	m, ok := s.member.LastRead()
	if !ok {
		return nil
	}
	id := m.Opaque()
	return &id
}
