package messaging

import "time"

// TopicEventKind is something that happens in a topic.
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

// IsPresence reports whether an event says who comes and goes.
func (k TopicEventKind) IsPresence() bool { return k == Online || k == Offline || k == AgentEvent }

// NoteKind is what a subscriber notes.
type NoteKind string

const (
	NoteTyping   NoteKind = "TYPING"
	NoteReceived NoteKind = "RECEIVED"
	NoteRead     NoteKind = "READ"
)

// News is something that happened in a topic, as it is told to subscribers.
type News struct {
	Kind  TopicEventKind
	Topic TopicID
	// User is who did it, or whom it is about.
	User   UserID  `json:",omitempty"`
	Seq    int     `json:",omitempty"`
	Seqs   []int   `json:",omitempty"`
	Access *[2]int `json:",omitempty"` // want and given
	Agent  string  `json:",omitempty"`
	// ClientID is that of the client that published, and NoEcho spares it.
	ClientID string `json:",omitempty"`
	NoEcho   bool   `json:",omitempty"`
	// Own says that only the user's other sessions are told.
	Own bool `json:",omitempty"`
	// Sharers says that only those are told who may invite.
	Sharers bool `json:",omitempty"`
}

// Happened says that something happened in a topic. It is told to subscribers and, where
// it concerns accounts, to those.
type Happened struct {
	News
	// Accounts are told beside the subscribers.
	Accounts []UserID `json:",omitempty"`
}

func (Happened) EventName() string     { return "messaging.happened" }
func (e Happened) OrderingKey() string { return string(e.Topic) }

// Published says that a message was published: subscribers are told and their devices
// pushed to.
type Published struct {
	Message  MessageRef
	From     UserID
	At       time.Time
	ClientID string `json:",omitempty"`
	NoEcho   bool   `json:",omitempty"`
}

func (Published) EventName() string     { return "messaging.published" }
func (e Published) OrderingKey() string { return string(e.Message.Topic) }

// TopicEnded says that a topic is gone, and what belonged to it is to follow.
type TopicEnded struct {
	Topic TopicID
	By    UserID
	At    time.Time
	// Hard takes messages up to a number and subscriptions along.
	Hard bool
	Upto int
}

func (TopicEnded) EventName() string     { return "messaging.topicEnded" }
func (e TopicEnded) OrderingKey() string { return string(e.Topic) }

// AccountEnded says that an account is gone, and what belonged to it is to follow.
type AccountEnded struct {
	User UserID
	At   time.Time
	Hard bool
}

func (AccountEnded) EventName() string     { return "messaging.accountEnded" }
func (e AccountEnded) OrderingKey() string { return string(e.User) }

// Locked says that an account may not do anything any more: its subscriptions end.
type Locked struct{ User UserID }

func (Locked) EventName() string     { return "messaging.locked" }
func (e Locked) OrderingKey() string { return string(e.User) }

// CameOrWent says that somebody is there or not any more.
type CameOrWent struct {
	User  UserID
	Kind  TopicEventKind
	Agent string `json:",omitempty"`
}

func (CameOrWent) EventName() string     { return "messaging.cameOrWent" }
func (e CameOrWent) OrderingKey() string { return string(e.User) }

// InTopic is news for those who listen to a topic, and ForAccount for those who listen for
// an account.
type (
	InTopic    struct{ News }
	ForAccount struct {
		News
		Account UserID
		// Ended says that there is no such account any more.
		Ended bool `json:",omitempty"`
	}
)

// Subject is what news of the topic go by.
func (n InTopic) Subject() string { return TopicSubject(n.Topic) }

// Subject is what news for the account go by.
func (n ForAccount) Subject() string { return AccountSubject(n.Account) }

// TopicSubject and AccountSubject are the subjects of news of a topic and for an account.
func TopicSubject(t TopicID) string   { return "messaging/topic/" + string(t) }
func AccountSubject(id UserID) string { return "messaging/account/" + string(id) }

// SeenTopicEvent is something that happened in a topic, with what it is about as that is
// now.
type SeenTopicEvent struct {
	News
	Message *SeenMessage
	Access  *SeenAccess
	User    *SeenUser
}

func (s *SeenTopicEvent) TopicID() string { return string(s.Topic) }
func (s *SeenTopicEvent) SeqIds() []int   { return s.Seqs }

func (s *SeenTopicEvent) SeqID() *int {
	if s.Seq == 0 {
		return nil
	}
	return &s.Seq
}

func (s *SeenTopicEvent) UserAgent() *string { return textOrNil(s.Agent) }

// Spares reports whether news are kept from those who caused them, as they asked: from the
// client that did, or from the whole account where no clients are named.
func (n News) Spares(id UserID, clientID *string) bool {
	switch {
	case n.User != id:
		return false
	case n.Kind == TypingEvent:
		return true
	case !n.NoEcho:
		return false
	}
	return n.ClientID == "" || clientID == nil || *clientID == n.ClientID
}
