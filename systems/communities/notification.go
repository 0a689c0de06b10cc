package communities

import (
	"fmt"
	"time"
)

// NotificationType is the type of a notification.
type NotificationType string

const (
	NewPrivateMessage NotificationType = "NEW_PRIVATE_MESSAGE"
	NewGroupMessage   NotificationType = "NEW_GROUP_MESSAGE"
	NewChatRequest    NotificationType = "NEW_CHAT_REQUEST"
	RequestAccepted   NotificationType = "CHAT_REQUEST_ACCEPTED"
	RequestRejected   NotificationType = "CHAT_REQUEST_REJECTED"
	CommunityNear     NotificationType = "NEW_COMMUNITY_NEAR_YOU"
)

// TargetKind is the kind of a notification's target.
type TargetKind string

const (
	ToMessage   TargetKind = "MESSAGE"
	ToGroupChat TargetKind = "GROUP_CHAT"
	ToRequest   TargetKind = "CHAT_REQUEST"
	ToCommunity TargetKind = "COMMUNITY"
)

// Target is what a notification links to. It may be gone.
type Target struct {
	Kind TargetKind `dynamo:"Kind"`
	ID   string     `dynamo:"Id"`
	// ParentID is the chat of a message or a request.
	ParentID *string `dynamo:"ParentId"`
}

// NotificationFilter selects notifications.
type NotificationFilter string

const (
	AllNotifications NotificationFilter = "ALL"
	UnreadOnly       NotificationFilter = "UNREAD"
	ReadOnly         NotificationFilter = "READ"
)

// NotificationRef identifies a user's notification, whether it is read or unread.
type NotificationRef struct {
	UserID UserID `dynamo:"UserId,keyonly"`
	Moment
}

// notificationLife is the lifetime of notifications.
const notificationLife = 90 * 24 * time.Hour

// Notification notifies a user of something that concerns them.
type Notification struct {
	NotificationRef
	Type NotificationType `dynamo:"NotificationType"`
	// Text is what is shown. If Quotes is set, it is only who sent the message that is the
	// target, and where: what the message says is read when the notification is shown.
	Text    string `dynamo:"Message"`
	Quotes  bool   `dynamo:"Quotes"`
	Target  Target `dynamo:"Target"`
	ActorID UserID `dynamo:"ActorId"`
	Read    bool   `dynamo:"Read,zero"`
	Seen    bool   `dynamo:"Seen,zero"`
}

// ExpiresAt returns the time from which the notification is no longer shown.
func (n *Notification) ExpiresAt() time.Time { return n.At.Add(notificationLife) }

// Expired reports whether the notification has expired by now.
func (n *Notification) Expired(now time.Time) bool { return !now.Before(n.ExpiresAt()) }

// SeenNotification is a notification as its user sees it. Nobody else can see it.
type SeenNotification struct{ notification *Notification }

// SeenBy returns n if the viewer is its user, and otherwise nil.
func (n *Notification) SeenBy(v UserID) *SeenNotification {
	if n.UserID != v {
		return nil
	}
	return &SeenNotification{n}
}

// ActorID returns the user who caused the notification.
func (s *SeenNotification) ActorID() UserID { return s.notification.ActorID }

func (s *SeenNotification) ID() string             { return s.notification.Opaque() }
func (s *SeenNotification) Type() NotificationType { return s.notification.Type }
func (s *SeenNotification) Target() *Target        { return &s.notification.Target }
func (s *SeenNotification) Read() bool             { return s.notification.Read }
func (s *SeenNotification) Seen() bool             { return s.notification.Seen }
func (s *SeenNotification) CreatedAt() time.Time   { return s.notification.At }

// About returns the message that the notification is about, or false if it is about
// something else.
func (s *SeenNotification) About() (MessageRef, bool) {
	n := s.notification
	m, ok := ParseMoment(n.Target.ID)
	if !ok || n.Target.Kind != ToMessage || n.Target.ParentID == nil {
		return MessageRef{}, false
	}
	chat := GroupRef(ChatID(*n.Target.ParentID))
	if n.Type == NewPrivateMessage {
		chat.Type = Private
	}
	return MessageRef{chat, m}, true
}

// Message returns the text to be shown. about is the message that it is about as the same
// viewer sees it, nil if there is none or they cannot read it. The text of a message that
// was deleted or cannot be read is not shown.
func (s *SeenNotification) Message(about *SeenMessage) string {
	n := s.notification
	if _, ok := s.About(); !ok {
		return n.Text
	}
	var content *string
	if about != nil {
		content = about.Content()
	}
	switch {
	case content == nil && n.Quotes:
		return clip(n.Text+" sent a message", maxNotice)
	case content == nil:
		return "A new message" // stored with its text, which cannot be told from the name
	case n.Quotes:
		return clip(n.Text+": "+*content, maxNotice)
	}
	return n.Text
}

// NotificationCounts are capped at 100.
type NotificationCounts struct{ Unread, Unseen int }

// newNotice returns a notification of an event identified by a text.
func newNotice(event string, to, actor UserID, at time.Time, t NotificationType, target Target, format string, args ...any) *Notification {
	return &Notification{
		NotificationRef: NotificationRef{to, Moment{at, NotificationID(event, to)}},
		Type:            t, Text: clip(fmt.Sprintf(format, args...), maxNotice), Target: target, ActorID: actor,
	}
}

// OfMessage returns the notification of a chat's member about a new message, which quotes
// it.
func OfMessage(to UserID, e ChatHappened) *Notification {
	parent := string(e.Chat.ID)
	target := Target{ToMessage, e.Message.Opaque(), &parent}
	event := "message " + e.Message.ID
	var n *Notification
	if e.Chat.Type == Private {
		n = newNotice(event, to, e.UserID, e.Message.At, NewPrivateMessage, target, "%s", e.UserName)
	} else {
		n = newNotice(event, to, e.UserID, e.Message.At, NewGroupMessage, target, "%s in %s", e.UserName, e.ChatName)
	}
	n.Quotes = true
	return n
}

// OfCommunity returns the notification of a user about a new community in their city.
func OfCommunity(to UserID, e CommunityFounded) *Notification {
	target := Target{ToCommunity, string(e.CommunityID), nil}
	return newNotice("community "+string(e.CommunityID), to, e.FounderID, e.At, CommunityNear, target, "A new community near you: %s", e.Name)
}

// OfRequest returns the notification of a chat's owner about a request to join.
func OfRequest(r *Request, c *Chat, by *User) *Notification {
	parent := string(r.ChatID)
	target := Target{ToRequest, r.Ref().Opaque(), &parent}
	return newNotice("request "+r.ID, c.OwnerID, r.UserID, r.At, NewChatRequest, target, "%s would like to join %s", by.Name, c.Name)
}

// OfDecision returns the notification of the requester about the decision on their request.
func OfDecision(r *Request, c *Chat) *Notification {
	target := Target{ToGroupChat, string(r.ChatID), nil}
	if r.Status == Accepted {
		return newNotice("decision "+r.ID, r.UserID, r.DecidedBy, r.DecidedAt, RequestAccepted, target, "You are in %s now", c.Name)
	}
	return newNotice("decision "+r.ID, r.UserID, r.DecidedBy, r.DecidedAt, RequestRejected, target, "Your request to join %s was rejected", c.Name)
}

// After returns n with a time later than that of the user's previous notification.
func (n *Notification) After(last time.Time) *Notification {
	if n.At.After(last) {
		return n
	}
	later := *n
	later.At = last.Add(time.Millisecond)
	return &later
}

// Notices contains the time of a user's last notification; zero if there was none.
type Notices struct{ LastAt time.Time }

// Spread is a chunk of an event's notifications.
type Spread struct {
	// Event identifies the event and its time.
	Event Moment
	// From is the progress before the chunk, To the progress after it; "" is the start.
	From, To string
	New      []*Notification
	// Last contains the users' last notification times as read.
	Last map[UserID]Notices
}
