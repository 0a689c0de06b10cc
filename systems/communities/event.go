package communities

import "time"

// ChatEventType is the type of an event in a chat.
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

// ChatHappened: an event in a chat.
type ChatHappened struct {
	Chat    ChatRef
	Type    ChatEventType
	UserID  UserID
	Message Moment    `json:",omitzero"`
	React   *Reaction `json:",omitempty"`

	// Fields of new messages: names for their notifications, and whether unread counts remain
	// to be raised. What a message says is not in its events, so that it can be deleted.
	UserName, ChatName string `json:",omitempty"`
	Uncounted          bool   `json:",omitempty"`
	// AuthorID is the author of a deleted message.
	AuthorID UserID `json:",omitempty"`

	// Held is set if nobody but the author may know of the message, Released if it was held, or
	// removed, and is shown now. Cased is set for a deletion whose case is not to be decided by that.
	Held     bool `json:",omitempty"`
	Released bool `json:",omitempty"`
	Cased    bool `json:",omitempty"`
}

func (ChatHappened) EventName() string     { return "communities.chatHappened" }
func (e ChatHappened) OrderingKey() string { return string(e.Chat.ID) }

// CommunityFounded: a community was created.
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

// CommunityLeft: a user is no longer a member of a community, and is still to leave its
// group chats.
type CommunityLeft struct {
	CommunityID CommunityID
	UserID      UserID
}

func (CommunityLeft) EventName() string     { return "communities.communityLeft" }
func (e CommunityLeft) OrderingKey() string { return string(e.UserID) }

// CommunityDeleted: a community was deleted. Its memberships are still to be removed.
type CommunityDeleted struct{ CommunityID CommunityID }

func (CommunityDeleted) EventName() string     { return "communities.communityDeleted" }
func (e CommunityDeleted) OrderingKey() string { return string(e.CommunityID) }

// ChatDeleted: a group chat was deleted. What belonged to it is still to be removed.
type ChatDeleted struct {
	ChatID ChatID
	At     time.Time
	// By is the user who deleted it.
	By UserID
}

func (ChatDeleted) EventName() string     { return "communities.chatDeleted" }
func (e ChatDeleted) OrderingKey() string { return string(e.ChatID) }

// RequestChanged: a request was made, decided or seen. It includes the notification sent,
// if any.
type RequestChanged struct {
	Ref      RequestRef
	Notified *NotificationRef `json:",omitempty"`
}

func (RequestChanged) EventName() string     { return "communities.requestChanged" }
func (e RequestChanged) OrderingKey() string { return string(e.Ref.ChatID) }

// UserDeleted: a user was deleted. What belonged to them is still to be removed.
type UserDeleted struct {
	UserID UserID
	At     time.Time
	// Erased is set if nothing may be left that identifies the user.
	Erased bool `json:",omitempty"`
}

// WasErased returns Erased.
func (e UserDeleted) WasErased() bool { return e.Erased }

func (UserDeleted) EventName() string     { return "communities.userDeleted" }
func (e UserDeleted) OrderingKey() string { return string(e.UserID) }

// ChatNews is published to the subscribers of a chat.
type ChatNews struct {
	Chat    ChatRef
	Type    ChatEventType
	UserID  UserID
	Message Moment    `json:",omitzero"`
	React   *Reaction `json:",omitempty"`
	// Gone is set if the chat was deleted.
	Gone bool `json:",omitempty"`
	// Held is set if only the author, who is the user, may know of it.
	Held bool `json:",omitempty"`
}

// Subject returns the subject under which the news are published.
func (n ChatNews) Subject() string { return ChatSubject(n.Chat) }

// ChatSubject returns the subject of a chat's news.
func ChatSubject(c ChatRef) string { return "communities/chat/" + string(c.Type) + "/" + string(c.ID) }

// Notified: a user has a new notification.
type Notified struct{ Ref NotificationRef }

// Subject returns the subject under which it is published.
func (n Notified) Subject() string { return NoticesOf(n.Ref.UserID) }

// NoticesOf returns the subject of a user's notifications.
func NoticesOf(id UserID) string { return "communities/notices/" + string(id) }

// RequestNews: a request changed. It is published to the requester, and to those who may
// decide.
type RequestNews struct {
	Ref       RequestRef
	ToDecider bool
}

// Subject returns the subject under which the news are published.
func (n RequestNews) Subject() string {
	if n.ToDecider {
		return RequestsFor(n.Ref.ChatID)
	}
	return RequestsBy(n.Ref.UserID)
}

// RequestsFor and RequestsBy return the subjects of requests for a chat, and of requests by
// a user.
func RequestsFor(id ChatID) string { return "communities/requests-for/" + string(id) }
func RequestsBy(id UserID) string  { return "communities/requests-by/" + string(id) }

// SeenChatEvent is an event in a chat as a member sees it, with the present state of its
// message.
type SeenChatEvent struct {
	news    *ChatNews
	message *SeenMessage
	// user is nil if they are gone.
	user *SeenUser
}

// SeenWith returns news as a member sees them, with the message and the user that they are
// about, as the same member sees these.
func (n *ChatNews) SeenWith(m *SeenMessage, u *SeenUser) *SeenChatEvent {
	if u != nil {
		u.is(n.UserID)
	}
	return &SeenChatEvent{n, m, u}
}

func (s *SeenChatEvent) Type() ChatEventType   { return s.news.Type }
func (s *SeenChatEvent) ChatID() ChatID        { return s.news.Chat.ID }
func (s *SeenChatEvent) ChatType() ChatType    { return s.news.Chat.Type }
func (s *SeenChatEvent) Message() *SeenMessage { return s.message }
func (s *SeenChatEvent) User() *SeenUser       { return s.user }

func (s *SeenChatEvent) MessageID() *string {
	if s.news.Message.IsZero() {
		return nil
	}
	id := s.news.Message.Opaque()
	return &id
}

// Reaction is nil if the user is gone.
func (s *SeenChatEvent) Reaction() *SeenReaction {
	if s.news.React == nil || s.user == nil {
		return nil
	}
	return &SeenReaction{*s.news.React, s.user}
}
