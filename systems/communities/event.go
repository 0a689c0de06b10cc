package communities

import "time"

// ChatEventType is something that happens in a chat.
type ChatEventType string

const (
	MessageCreated  ChatEventType = "MESSAGE_CREATED"
	MessageEdited   ChatEventType = "MESSAGE_EDITED"
	MessageDeleted  ChatEventType = "MESSAGE_DELETED"
	ReactionSet     ChatEventType = "REACTION_SET"
	ReactionRemoved ChatEventType = "REACTION_REMOVED"
	MemberJoined    ChatEventType = "MEMBER_JOINED"
	MemberLeft      ChatEventType = "MEMBER_LEFT"
	Typing          ChatEventType = "TYPING"
)

// ChatHappened says that something happened in a chat.
type ChatHappened struct {
	Chat    ChatRef
	Type    ChatEventType
	UserID  UserID
	Message Moment    `json:",omitzero"`
	React   *Reaction `json:",omitempty"`

	// What follows is of new messages: what to tell of them, and whether unread counts
	// are still to be raised.
	UserName, ChatName, Preview string `json:",omitempty"`
	Uncounted                   bool   `json:",omitempty"`
}

func (ChatHappened) EventName() string     { return "communities.chatHappened" }
func (e ChatHappened) OrderingKey() string { return string(e.Chat.ID) }

// CommunityFounded says that there is a new community.
type CommunityFounded struct {
	CommunityID CommunityID
	FounderID   UserID
	Name        string
	// Place is folded.
	Place Location
	At    time.Time
}

func (CommunityFounded) EventName() string     { return "communities.communityFounded" }
func (e CommunityFounded) OrderingKey() string { return string(e.CommunityID) }

// CommunityLeft says that somebody is no member of a community any more, and has to leave
// its group chats.
type CommunityLeft struct {
	CommunityID CommunityID
	UserID      UserID
}

func (CommunityLeft) EventName() string     { return "communities.communityLeft" }
func (e CommunityLeft) OrderingKey() string { return string(e.UserID) }

// CommunityDeleted says that a community is gone and its memberships are to follow.
type CommunityDeleted struct{ CommunityID CommunityID }

func (CommunityDeleted) EventName() string     { return "communities.communityDeleted" }
func (e CommunityDeleted) OrderingKey() string { return string(e.CommunityID) }

// ChatDeleted says that a group chat is gone, and what belonged to it is to follow.
type ChatDeleted struct {
	ChatID ChatID
	At     time.Time
	// By is whoever deleted it.
	By UserID
}

func (ChatDeleted) EventName() string     { return "communities.chatDeleted" }
func (e ChatDeleted) OrderingKey() string { return string(e.ChatID) }

// RequestChanged says that a request was made, decided or seen, and whom it notified.
type RequestChanged struct {
	Ref      RequestRef
	Notified *NotificationRef `json:",omitempty"`
}

func (RequestChanged) EventName() string     { return "communities.requestChanged" }
func (e RequestChanged) OrderingKey() string { return string(e.Ref.ChatID) }

// UserDeleted says that a user is gone, and what belonged to them is to follow.
type UserDeleted struct {
	UserID UserID
	At     time.Time
}

func (UserDeleted) EventName() string     { return "communities.userDeleted" }
func (e UserDeleted) OrderingKey() string { return string(e.UserID) }

// ChatNews is what those hear who listen to a chat.
type ChatNews struct {
	Chat    ChatRef
	Type    ChatEventType
	UserID  UserID
	Message Moment    `json:",omitzero"`
	React   *Reaction `json:",omitempty"`
	// Gone says that there is no such chat any more.
	Gone bool `json:",omitempty"`
}

// Subject is what news of the chat go by.
func (n ChatNews) Subject() string { return ChatSubject(n.Chat) }

// ChatSubject is the subject of a chat's news.
func ChatSubject(c ChatRef) string { return "communities/chat/" + string(c.Type) + "/" + string(c.ID) }

// Notified says that somebody has a new notification.
type Notified struct{ Ref NotificationRef }

// Subject is what notifications of the user go by.
func (n Notified) Subject() string { return NoticesOf(n.Ref.UserID) }

// NoticesOf is the subject of a user's notifications.
func NoticesOf(id UserID) string { return "communities/notices/" + string(id) }

// RequestNews says that a request changed. It goes to the requester, and to those who
// decide.
type RequestNews struct {
	Ref       RequestRef
	ToDecider bool
}

// Subject is what news of requests go by.
func (n RequestNews) Subject() string {
	if n.ToDecider {
		return RequestsFor(n.Ref.ChatID)
	}
	return RequestsBy(n.Ref.UserID)
}

// RequestsFor and RequestsBy are the subjects of requests for a chat, and by a user.
func RequestsFor(id ChatID) string { return "communities/requests-for/" + string(id) }
func RequestsBy(id UserID) string  { return "communities/requests-by/" + string(id) }

// SeenChatEvent is something that happened in a chat, with what it is about as that is
// now.
type SeenChatEvent struct {
	Type      ChatEventType
	Chat      ChatRef
	Message   *SeenMessage
	MessageID *string
	Reaction  *SeenReaction
	User      *SeenUser
}

func (s *SeenChatEvent) ChatID() ChatID     { return s.Chat.ID }
func (s *SeenChatEvent) ChatType() ChatType { return s.Chat.Type }
