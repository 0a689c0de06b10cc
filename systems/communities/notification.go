package communities

import (
	"fmt"
	"time"
)

// NotificationType is what a notification is about.
type NotificationType string

const (
	NewPrivateMessage NotificationType = "NEW_PRIVATE_MESSAGE"
	NewGroupMessage   NotificationType = "NEW_GROUP_MESSAGE"
	NewChatRequest    NotificationType = "NEW_CHAT_REQUEST"
	RequestAccepted   NotificationType = "CHAT_REQUEST_ACCEPTED"
	RequestRejected   NotificationType = "CHAT_REQUEST_REJECTED"
	CommunityNear     NotificationType = "NEW_COMMUNITY_NEAR_YOU"
)

// TargetKind is what a notification leads to.
type TargetKind string

const (
	ToMessage   TargetKind = "MESSAGE"
	ToGroupChat TargetKind = "GROUP_CHAT"
	ToRequest   TargetKind = "CHAT_REQUEST"
	ToCommunity TargetKind = "COMMUNITY"
)

// Target is where a notification leads. It may be gone.
type Target struct {
	Kind TargetKind
	ID   string
	// ParentID is the chat of messages and requests.
	ParentID *string
}

// NotificationFilter chooses notifications.
type NotificationFilter string

const (
	AllNotifications NotificationFilter = "ALL"
	UnreadOnly       NotificationFilter = "UNREAD"
	ReadOnly         NotificationFilter = "READ"
)

// NotificationRef says whose notification is meant, wherever it is stored.
type NotificationRef struct {
	UserID UserID
	Moment
}

// notificationLife is how long notifications are kept.
const notificationLife = 90 * 24 * time.Hour

// Notification tells a user of something that concerns them.
type Notification struct {
	NotificationRef
	Type    NotificationType
	Text    string
	Target  Target
	ActorID UserID
	Read    bool
	Seen    bool
}

// ExpiresAt is from when on the notification is not shown any more.
func (n *Notification) ExpiresAt() time.Time { return n.At.Add(notificationLife) }

// Expired reports whether the notification has expired at a time.
func (n *Notification) Expired(now time.Time) bool { return !now.Before(n.ExpiresAt()) }

// SeenNotification is a notification as its user sees it.
type SeenNotification struct{ *Notification }

func (s *SeenNotification) ID() string             { return s.Opaque() }
func (s *SeenNotification) Type() NotificationType { return s.Notification.Type }
func (s *SeenNotification) Message() string        { return s.Text }
func (s *SeenNotification) CreatedAt() time.Time   { return s.At }
func (s *SeenNotification) Target() *Target        { return &s.Notification.Target }

// NotificationCounts are capped at 100.
type NotificationCounts struct{ Unread, Unseen int }

// newNotice makes a notification of an event that is known by a text.
func newNotice(event string, to, actor UserID, at time.Time, t NotificationType, target Target, format string, args ...any) *Notification {
	return &Notification{
		NotificationRef: NotificationRef{to, Moment{at, NotificationID(event, to)}},
		Type:            t, Text: clip(fmt.Sprintf(format, args...), maxNotice), Target: target, ActorID: actor,
	}
}

// OfMessage tells a member of a chat that somebody wrote there.
func OfMessage(to UserID, e ChatHappened) *Notification {
	parent := string(e.Chat.ID)
	target := Target{ToMessage, e.Message.Opaque(), &parent}
	event := "message " + e.Message.ID
	if e.Chat.Type == Private {
		return newNotice(event, to, e.UserID, e.Message.At, NewPrivateMessage, target, "%s: %s", e.UserName, e.Preview)
	}
	return newNotice(event, to, e.UserID, e.Message.At, NewGroupMessage, target, "%s in %s: %s", e.UserName, e.ChatName, e.Preview)
}

// OfCommunity tells somebody that a community was founded where they are.
func OfCommunity(to UserID, e CommunityFounded) *Notification {
	target := Target{ToCommunity, string(e.CommunityID), nil}
	return newNotice("community "+string(e.CommunityID), to, e.FounderID, e.At, CommunityNear, target, "A new community near you: %s", e.Name)
}

// OfRequest tells the owner of a chat that somebody would like to join.
func OfRequest(r *Request, c *Chat, by *User) *Notification {
	parent := string(r.ChatID)
	target := Target{ToRequest, r.Ref().Opaque(), &parent}
	return newNotice("request "+r.ID, c.OwnerID, r.UserID, r.At, NewChatRequest, target, "%s would like to join %s", by.Name, c.Name)
}

// OfDecision tells the requester what became of a request.
func OfDecision(r *Request, c *Chat) *Notification {
	target := Target{ToGroupChat, string(r.ChatID), nil}
	if r.Status == Accepted {
		return newNotice("decision "+r.ID, r.UserID, r.DecidedBy, r.DecidedAt, RequestAccepted, target, "You are in %s now", c.Name)
	}
	return newNotice("decision "+r.ID, r.UserID, r.DecidedBy, r.DecidedAt, RequestRejected, target, "Your request to join %s was rejected", c.Name)
}

// After returns n at a time that is later than that of the notification before it.
func (n *Notification) After(last time.Time) *Notification {
	if n.At.After(last) {
		return n
	}
	later := *n
	later.At = last.Add(time.Millisecond)
	return &later
}

// Notices is what is known of a user's notifications: when the last one was made. The zero
// value is that of somebody who has had none.
type Notices struct{ LastAt time.Time }

// Spread is a part of the notifications that an event makes.
type Spread struct {
	// Event names the event, and is when it happened.
	Event Moment
	// From is how far they had come, To how far they are to come: "" is the beginning.
	From, To string
	New      []*Notification
	// Last are the last notifications of the users, as read.
	Last map[UserID]Notices
}
