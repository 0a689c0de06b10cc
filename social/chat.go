package social

import (
	"errors"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
)

// ChatType is how a chat came about, and who can be in it.
type ChatType string

const (
	// ChatDirect is between two users, who have one at most.
	ChatDirect ChatType = "DIRECT"
	// ChatGroup is between any number of users, who come and leave.
	ChatGroup ChatType = "GROUP"
)

// Chat is a chat as stored. Clients never get one: they get a SeenChat.
type Chat struct {
	ChatID ChatID
	Type   ChatType
	// Name is empty for none. Direct chats have none.
	Name            string
	CreatedByUserID UserID
	CreatedAt       time.Time
	// LastMessageActivityAt is the time of the newest message that there ever was.
	LastMessageActivityAt time.Time
	FlagCount             int
	MessagesCount         int
	UserCount             int
	// JournalAt is the time of the newest entry in the journal of a large group, zero for
	// other chats.
	JournalAt time.Time
	// Pair are the users of a direct chat, nobody for a group.
	Pair ChatPair
}

// ChatPair are the two users of a direct chat, in the order of their ids.
type ChatPair struct{ First, Second UserID }

// PairOf returns two users in their order.
func PairOf(a, b UserID) ChatPair { return ChatPair{min(a, b), max(a, b)} }

// NextMessageAt is the time of a message that is added now: messages of a chat follow one
// another strictly, whatever the clocks say.
func (c *Chat) NextMessageAt(now time.Time) time.Time {
	for _, last := range []time.Time{c.LastMessageActivityAt, c.JournalAt} {
		if next := last.Add(time.Microsecond); now.Before(next) {
			now = next
		}
	}
	return now
}

// ChatMember is a user in a chat.
type ChatMember struct {
	ChatID   ChatID
	UserID   UserID
	JoinedAt time.Time
	// LastMessageActivityAt is the chat's place among those of the user: when they joined
	// or the newest message came.
	LastMessageActivityAt time.Time
	MessagesUnviewedCount int
	// JournalAt is the time of the newest entry in the journal of a large group that the member
	// has counted.
	JournalAt time.Time
}

// ChatView says that a user has viewed a chat.
type ChatView struct {
	ChatID        ChatID
	UserID        UserID
	FirstViewedAt time.Time
}

// ChatMessage is a message as stored. Clients never get one: they get a SeenChatMessage.
type ChatMessage struct {
	MessageID ChatMessageID
	ChatID    ChatID
	// UserID is the author, empty for messages of the system.
	UserID    UserID
	CreatedAt time.Time
	// LastEditedAt is zero until the message is edited.
	LastEditedAt time.Time
	FlagCount    int
	Text         string
	TextTags     []TextTag
}

// CheckDirect refuses a direct chat of the viewer with a user who is another, as seen with
// BlockedTie and before it is known whether they have one.
func (s *SeenUser) CheckDirect() error {
	s.read.need(BlockedTie, "user to chat with")
	switch me, other := s.viewer, s.user.UserID; {
	case s.rel.self:
		return refusal.Invalidf("User `%s` cannot open direct chat with themselves", me)
	case s.rel.Blocks:
		return refusal.Forbiddenf("User `%s` has blocked user `%s`", me, other)
	case s.rel.BlockedBy:
		return refusal.Forbiddenf("User `%s` has been blocked by `%s`", me, other)
	default:
		return nil
	}
}

// CheckChattable refuses a direct chat with a user whose account is not active.
func (s *SeenUser) CheckChattable() error {
	if status := orElse(s.user.Status, UserActive); status != UserActive {
		return refusal.Invalidf("Cannot open direct chat with user with status `%s`", status)
	}
	return nil
}

// CheckChatLock refuses a direct chat with a user, as seen with MatchTie, whom dating has
// shown the viewer lately and who is no confirmed match.
func (s *SeenUser) CheckChatLock(now time.Time) error {
	s.read.need(MatchTie, "user to chat with")
	if s.match.locks(now) {
		return refusal.Invalidf("Cannot chat user viewed on dating unless it is a match")
	}
	return nil
}

// Groupable reports whether the viewer can bring the user, as seen with BlockedTie and
// MatchTie, into a group.
func (s *SeenUser) Groupable(now time.Time) bool {
	s.read.need(MatchTie, "user to bring into a group")
	return s.CheckDirect() == nil && s.CheckChattable() == nil && !s.match.reversed().locks(now)
}

// Texts of the system in group chats. They are part of the contract.

// GroupCreatedText says that a user created a group, which may have a name.
func GroupCreatedText(creator, name string) string {
	if name == "" {
		return "@" + creator + " created the group"
	}
	return "@" + creator + ` created the group "` + name + `"`
}

// GroupJoinedText says that a user added others, at least one.
func GroupJoinedText(adder string, added []string) string {
	names := make([]string, len(added))
	for i, name := range added {
		names[i] = "@" + name
	}
	last := len(names) - 1
	list := names[last]
	if last > 0 {
		list = strings.Join(names[:last], ", ") + " and " + list
	}
	return "@" + adder + " added " + list + " to the group"
}

// GroupLeftText says that a user left.
func GroupLeftText(leaver string) string { return "@" + leaver + " left the group" }

// GroupNamedText says that a user gave the group a name, or took it away.
func GroupNamedText(editor, name string) string {
	if name == "" {
		return "@" + editor + " deleted the name of the group"
	}
	return "@" + editor + ` changed the name of the group to "` + name + `"`
}

// ErrMessageTaken is a store's answer that there is a message with the id of a new one.
var ErrMessageTaken = errors.New("the id of the message is in use")
