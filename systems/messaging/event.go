package messaging

import (
	"time"

	"stoa/internal/kit/optional"
)

// TopicEventKind is the kind of an event in a topic.
type TopicEventKind string

const (
	MessageEvent       TopicEventKind = "MESSAGE"
	MessagesDeleted    TopicEventKind = "MESSAGES_DELETED"
	ReceivedEvent      TopicEventKind = "RECEIVED"
	ReadEvent          TopicEventKind = "READ"
	TypingEvent        TopicEventKind = "TYPING"
	AccessChanged      TopicEventKind = "ACCESS_CHANGED"
	Subscribed         TopicEventKind = "SUBSCRIBED"
	Unsubscribed       TopicEventKind = "UNSUBSCRIBED"
	DescriptionChanged TopicEventKind = "DESCRIPTION_CHANGED"
	TopicDeleted       TopicEventKind = "TOPIC_DELETED"
	Online             TopicEventKind = "ONLINE"
	Offline            TopicEventKind = "OFFLINE"
	AgentEvent         TopicEventKind = "USER_AGENT"
)

// IsPresence reports whether the event is about users who go online or offline.
func (k TopicEventKind) IsPresence() bool { return k == Online || k == Offline || k == AgentEvent }

// NoteKind is the kind of a subscriber's note.
type NoteKind string

const (
	NoteTyping   NoteKind = "TYPING"
	NoteReceived NoteKind = "RECEIVED"
	NoteRead     NoteKind = "READ"
)

// News is an event in a topic, as published to subscribers.
type News struct {
	Kind  TopicEventKind
	Topic TopicID
	// User is the user who caused the event, or whom it is about.
	User   UserID  `json:",omitempty"`
	Seq    int     `json:",omitempty"`
	Seqs   []int   `json:",omitempty"`
	Access *[2]int `json:",omitempty"` // want and given
	Agent  string  `json:",omitempty"`
	// ClientID is the id of the publishing client. NoEcho is set if it should not receive
	// the event.
	ClientID string `json:",omitempty"`
	NoEcho   bool   `json:",omitempty"`
	// Own is set if only the user's sessions receive the event.
	Own bool `json:",omitempty"`
	// Sharers is set if only subscribers who may invite receive the event.
	Sharers bool `json:",omitempty"`
}

// Happened: an event in a topic. It is published to subscribers, and to the accounts it
// concerns.
type Happened struct {
	News
	// Accounts receive the event in addition to the subscribers.
	Accounts []UserID `json:",omitempty"`
}

// ForSharers reports whether only those who may invite are notified.
func (e Happened) ForSharers() bool { return e.Sharers }

func (Happened) EventName() string     { return "messaging.happened" }
func (e Happened) OrderingKey() string { return string(e.Topic) }

// Published: a message was published. Subscribers are notified, and pushes are sent to
// their devices.
type Published struct {
	Message  MessageRef
	From     UserID
	At       time.Time
	ClientID string `json:",omitempty"`
	NoEcho   bool   `json:",omitempty"`
	// Unpushed: the recipient in a two-person topic has no devices.
	Unpushed bool `json:",omitempty"`
}

// PublishedFor returns the event of a message. peer is the other user of a two-person topic, or nil.
func PublishedFor(m *Message, peer *User, noEcho bool) Published {
	return Published{
		Message: m.MessageRef, From: m.From, At: m.CreatedAt, ClientID: m.ClientID, NoEcho: noEcho,
		Unpushed: m.Topic.Kind() == P2P && (peer == nil || len(peer.Devices) == 0),
	}
}

// News returns the event as published to subscribers.
func (e Published) News() News {
	return News{Kind: MessageEvent, Topic: e.Message.Topic, User: e.From, Seq: e.Message.Seq, ClientID: e.ClientID, NoEcho: e.NoEcho}
}

// InGroup reports whether the message was published in a group topic.
func (e Published) InGroup() bool { _, _, pair := e.Message.Topic.Pair(); return !pair }

// IsPushed reports whether recipients may have devices.
func (e Published) IsPushed() bool { return !e.Unpushed }

func (Published) EventName() string     { return "messaging.published" }
func (e Published) OrderingKey() string { return string(e.Message.Topic) }

// TopicEnded: a topic was deleted. What belonged to it is still to be removed.
type TopicEnded struct {
	Topic TopicID
	By    UserID
	At    time.Time
	// Hard is set if subscriptions and messages are to be deleted, of a two-person topic those up
	// to a number.
	Hard bool
	Upto int
}

func (TopicEnded) EventName() string     { return "messaging.topicEnded" }
func (e TopicEnded) OrderingKey() string { return string(e.Topic) }

// AccountEnded: an account was deleted. What belonged to it is still to be removed.
type AccountEnded struct {
	User UserID
	At   time.Time
	Hard bool
	// Erased is set if nothing may be left that identifies the user.
	Erased bool `json:",omitempty"`
}

// WasErased returns Erased.
func (e AccountEnded) WasErased() bool { return e.Erased }

func (AccountEnded) EventName() string     { return "messaging.accountEnded" }
func (e AccountEnded) OrderingKey() string { return string(e.User) }

// Locked: an account was suspended or deleted. Its live subscriptions are to end.
type Locked struct{ User UserID }

func (Locked) EventName() string     { return "messaging.locked" }
func (e Locked) OrderingKey() string { return string(e.User) }

// PresenceChanged: a user went online or offline. Its stored name is messaging.cameOrWent.
type PresenceChanged struct {
	User  UserID
	Kind  TopicEventKind
	Agent string `json:",omitempty"`
}

func (PresenceChanged) EventName() string     { return "messaging.cameOrWent" }
func (e PresenceChanged) OrderingKey() string { return string(e.User) }

// InTopic is published to subscribers of a topic, ForAccount to subscribers of an account.
type (
	InTopic    struct{ News }
	ForAccount struct {
		News
		Account UserID
		// Ended is set if the account was deleted or suspended.
		Ended bool `json:",omitempty"`
	}
)

// Subject returns the subject under which the news are published.
func (n InTopic) Subject() string { return TopicSubject(n.Topic) }

// Subject returns the subject under which the news are published.
func (n ForAccount) Subject() string { return AccountSubject(n.Account) }

// TopicSubject and AccountSubject return the subjects of news of a topic and for an
// account.
func TopicSubject(t TopicID) string   { return "messaging/topic/" + string(t) }
func AccountSubject(id UserID) string { return "messaging/account/" + string(id) }

// SeenTopicEvent is an event in a topic as a viewer sees it, with the present state of what
// it is about.
type SeenTopicEvent struct {
	news    News
	message *SeenMessage
	user    *SeenUser
}

// SeenWith returns news as a viewer sees them, with the message and the user that they are
// about as the viewer sees these, nil for what is gone or not visible.
func (n News) SeenWith(m *SeenMessage, u *SeenUser) *SeenTopicEvent {
	if u != nil {
		u.is(n.User)
	}
	return &SeenTopicEvent{n, m, u}
}

func (s *SeenTopicEvent) Kind() TopicEventKind  { return s.news.Kind }
func (s *SeenTopicEvent) TopicID() string       { return string(s.news.Topic) }
func (s *SeenTopicEvent) Message() *SeenMessage { return s.message }
func (s *SeenTopicEvent) SeqIds() []int         { return s.news.Seqs }
func (s *SeenTopicEvent) User() *SeenUser       { return s.user }
func (s *SeenTopicEvent) UserAgent() *string    { return optional.IfSet(s.news.Agent) }

func (s *SeenTopicEvent) SeqID() *int {
	if s.news.Seq == 0 {
		return nil
	}
	return &s.news.Seq
}

func (s *SeenTopicEvent) Access() *SeenAccess {
	if s.news.Access == nil {
		return nil
	}
	return &SeenAccess{Mode(s.news.Access[0]), Mode(s.news.Access[1])}
}

// WithheldFrom reports whether the news are withheld from a subscriber because the same client,
// or, if either client id is unset, the same account caused them and asked for no echo.
// Typing is never sent to the typist, and the user's own news to nobody else.
func (n News) WithheldFrom(id UserID, clientID *string) bool {
	switch {
	case n.User != id:
		return n.Own
	case n.Kind == TypingEvent:
		return true
	case !n.NoEcho:
		return false
	}
	return n.ClientID == "" || clientID == nil || *clientID == n.ClientID
}
