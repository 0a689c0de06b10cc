package social

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
)

// ChatType is the kind of a chat.
type ChatType string

const (
	// ChatDirect is a chat between two users. Any two users have at most one.
	ChatDirect ChatType = "DIRECT"
	// ChatGroup is a chat that any number of users can join and leave.
	ChatGroup ChatType = "GROUP"
)

// Chat is a stored chat. Clients see it as a SeenChat.
type Chat struct {
	ChatID ChatID   `dynamo:"chatId"`
	Type   ChatType `dynamo:"chatType"`
	// Name is optional. Direct chats have none.
	Name            string    `dynamo:"name"`
	CreatedByUserID UserID    `dynamo:"createdByUserId"`
	CreatedAt       time.Time `dynamo:"createdAt"`
	// LastMessageActivityAt is the time of the latest message ever sent, deleted or not.
	LastMessageActivityAt time.Time `dynamo:"lastMessageActivityAt"`
	FlagCount             int       `dynamo:"flagCount"`
	MessagesCount         int       `dynamo:"messagesCount"`
	UserCount             int       `dynamo:"userCount"`
	// KeptAt is when a moderator last decided to keep the chat; zero for never.
	KeptAt time.Time `dynamo:"keptAt"`
	// JournalAt is the time of the latest entry in a large group's journal; zero for other
	// chats.
	JournalAt time.Time `dynamo:"journalAt"`
	// Pair has the users of a direct chat; it is zero for groups.
	Pair ChatPair `dynamo:",inline"`
}

// ChatPair has the two users of a direct chat, ordered by id.
type ChatPair struct {
	First  UserID `dynamo:"userId1,keyonly"`
	Second UserID `dynamo:"userId2,keyonly"`
}

// PairOf returns two users as an ordered pair.
func PairOf(a, b UserID) ChatPair { return ChatPair{min(a, b), max(a, b)} }

// NextMessageAt returns the time of a message sent now. Times of messages in a chat
// strictly increase, even if clocks do not.
func (c *Chat) NextMessageAt(now time.Time) time.Time {
	for _, last := range []time.Time{c.LastMessageActivityAt, c.JournalAt} {
		if next := last.Add(time.Microsecond); now.Before(next) {
			now = next
		}
	}
	return now
}

// ChatMember is a user's membership in a chat.
type ChatMember struct {
	ChatID   ChatID    `dynamo:"chatId,keyonly"`
	UserID   UserID    `dynamo:"userId,keyonly"`
	JoinedAt time.Time `dynamo:"joinedAt,keyonly"`
	// LastMessageActivityAt orders the user's chats. It is the time of the latest message,
	// or when the user joined. If PlacedByChat is set, that of the chat does instead.
	LastMessageActivityAt time.Time `dynamo:"lastMessageActivityAt,keyonly"`
	MessagesUnviewedCount int       `dynamo:"messagesUnviewedCount"`
	// JournalAt is the time of the latest entry in a large group's journal that
	// MessagesUnviewedCount includes.
	JournalAt time.Time `dynamo:"journalAt"`
	// PlacedByChat is set for members of a large group. A message does not move their
	// memberships: the chat has its time.
	PlacedByChat bool `dynamo:"placedByChat"`
	// ViewedAt is when the member of a regular group last viewed it, if they have with this
	// version. Messages are stored only if it is as it was when they were decided.
	ViewedAt time.Time `dynamo:"viewedAt"`
}

// Compare orders a user's chats, latest activity first. Of chats with the same time, the
// order is that of their ids, as in an index.
func (m *ChatMember) Compare(other *ChatMember) int {
	return cmp.Or(other.LastMessageActivityAt.Compare(m.LastMessageActivityAt), cmp.Compare(other.ChatID, m.ChatID))
}

// ChatView records that a user has viewed a chat.
type ChatView struct {
	ChatID        ChatID    `dynamo:"chatId,keyonly"`
	UserID        UserID    `dynamo:"userId,keyonly"`
	FirstViewedAt time.Time `dynamo:"firstViewedAt"`
}

// ChatMessage is a stored message. Clients see it as a SeenChatMessage.
type ChatMessage struct {
	MessageID ChatMessageID `dynamo:"messageId"`
	ChatID    ChatID        `dynamo:"chatId"`
	// UserID is the author, or "" for system messages.
	UserID    UserID    `dynamo:"userId"`
	CreatedAt time.Time `dynamo:"createdAt"`
	// LastEditedAt is zero until the message is edited.
	LastEditedAt time.Time `dynamo:"lastEditedAt"`
	FlagCount    int       `dynamo:"flagCount"`
	Text         string    `dynamo:"text"`
	TextTags     []TextTag `dynamo:"textTags"`
	// KeptAt is when a moderator last decided to keep the message; zero for never.
	KeptAt time.Time `dynamo:"keptAt"`
	// Held is set while the message waits for a moderator's decision because of the content
	// check. Until then, only its author sees it, and the chat does not count it.
	Held bool `dynamo:"held"`
	// Unchecked is set if the message was shown although its content check failed.
	Unchecked bool `dynamo:"unchecked"`
}

// Users returns the users that a reader of the message sees: its author, if any, and the
// mentioned users if d shows them. There may be duplicates.
func (m *ChatMessage) Users(d Detail) []UserID {
	var ids []UserID
	if m.UserID != "" {
		ids = append(ids, m.UserID)
	}
	if d.Has(TaggedUsers) {
		ids = taggedUsers(ids, m.TextTags)
	}
	return ids
}

// CheckDirect refuses a direct chat that the viewer may not start with the user, before it
// is known whether one exists. It needs BlockedTie.
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
	if status := cmp.Or(s.user.Status, UserActive); status != UserActive {
		return refusal.Invalidf("Cannot open direct chat with user with status `%s`", status)
	}
	return nil
}

// CheckChatLock refuses a direct chat with a recent dating match that is not confirmed. It
// needs MatchTie.
func (s *SeenUser) CheckChatLock(now time.Time) error {
	s.read.need(MatchTie, "user to chat with")
	if s.match.locks(now) {
		return refusal.Invalidf("Cannot chat user viewed on dating unless it is a match")
	}
	return nil
}

// Groupable reports whether the viewer may add the user to a group. It needs BlockedTie and
// MatchTie.
func (s *SeenUser) Groupable(now time.Time) bool {
	s.read.need(MatchTie, "user to bring into a group")
	return s.CheckDirect() == nil && s.CheckChattable() == nil && !s.match.reversed().locks(now)
}

// The texts of system messages in group chats are part of the contract.

// GroupCreatedText says that a user created a group, which may have a name.
func GroupCreatedText(creator, name string) string {
	if name == "" {
		return "@" + creator + " created the group"
	}
	return "@" + creator + ` created the group "` + name + `"`
}

// GroupJoinedText says that a user added one or more others.
func GroupJoinedText(adder string, added []string) string {
	names := slice.Map(added, func(name string) string { return "@" + name })
	last := len(names) - 1
	list := names[last]
	if last > 0 {
		list = strings.Join(names[:last], ", ") + " and " + list
	}
	return "@" + adder + " added " + list + " to the group"
}

// GroupLeftText says that a user left.
func GroupLeftText(leaver string) string { return "@" + leaver + " left the group" }

// GroupNamedText says that a user renamed the group or removed its name.
func GroupNamedText(editor, name string) string {
	if name == "" {
		return "@" + editor + " deleted the name of the group"
	}
	return "@" + editor + ` changed the name of the group to "` + name + `"`
}

// ErrMessageTaken is returned by a store if the id of a new message is in use.
var ErrMessageTaken = errors.New("the id of the message is in use")
