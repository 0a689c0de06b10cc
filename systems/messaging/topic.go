package messaging

import (
	"time"

	"stoa/internal/kit/input"
)

// TopicKind is what a topic is.
type TopicKind string

const (
	Me    TopicKind = "ME"
	Find  TopicKind = "FIND"
	P2P   TopicKind = "P2P"
	Group TopicKind = "GROUP"
)

// Topic is where messages are published.
type Topic struct {
	ID        TopicID
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt time.Time
	TouchedAt time.Time
	Access    Access
	Public    JSON
	SeqID     int
	ClearID   int
	Owner     UserID // of a group
	SubCount  int
}

// Lives reports whether there is such a topic.
func (t *Topic) Lives() bool { return t != nil && t.DeletedAt.IsZero() }

// OwnTopicOf is a topic of one person, which lives in their user.
func OwnTopicOf(id TopicID, u *User) *Topic {
	return &Topic{ID: id, CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt, Public: u.Public, Access: u.Access, SubCount: 1}
}

// GroupPlan is a group as it is to be.
type GroupPlan struct {
	Public, Private JSON
	Access          *AccessPlan
	Mode            *string
}

// ChatPlan is a two-person topic as it is to be.
type ChatPlan struct {
	Private        JSON
	Mode, PeerMode *string
}

// TopicChange is what of a topic is to change.
type TopicChange struct {
	Public input.Edit[JSON]
	Access *AccessPlan
}

// SeenTopic is a topic as a viewer sees it. Who has no subscription sees of a group what
// describes it.
type SeenTopic struct {
	*Topic
	Viewer UserID
	// Mine is the viewer's subscription, nil without one that lasts.
	Mine *Subscription
	// Peer is the other one of a two-person topic, nil when they are gone, and SeenPeer how
	// the viewer sees them, where that was read too.
	Peer     *User
	SeenPeer *SeenUser
}

// SeenBy returns t as a viewer sees it, with their subscription and the other one of a
// two-person topic.
func (t *Topic) SeenBy(v UserID, mine *Subscription, peer *User) *SeenTopic {
	s := &SeenTopic{Topic: t, Viewer: v, Peer: peer}
	if mine.Lasts() {
		s.Mine = mine
	}
	return s
}

func (s *SeenTopic) ID() string      { return string(s.Topic.ID) }
func (s *SeenTopic) Kind() TopicKind { return s.Topic.ID.Kind() }
func (s *SeenTopic) TouchedAt() *time.Time {
	if s.Mine == nil {
		return nil
	}
	return orNil(s.Topic.TouchedAt)
}

func (s *SeenTopic) Public() JSON {
	if s.Kind() != P2P {
		return s.Topic.Public
	}
	if s.Peer == nil {
		return ""
	}
	return s.Peer.Public
}

func (s *SeenTopic) DefaultAccess() *SeenDefault { return &SeenDefault{s.Access} }

// shown is a number for subscribers, 0 for others.
func (s *SeenTopic) shown(n int) int {
	if s.Mine == nil {
		return 0
	}
	return n
}

func (s *SeenTopic) SeqID() int           { return s.shown(s.Topic.SeqID) }
func (s *SeenTopic) ClearID() int         { return s.shown(s.Topic.ClearID) }
func (s *SeenTopic) SubscriberCount() int { return s.shown(s.SubCount) }

// MySubscription is the viewer's, nil for strangers.
func (s *SeenTopic) MySubscription() *SeenSubscription {
	if s.Mine == nil {
		return nil
	}
	return s.Mine.SeenIn(s)
}

// OwnerID and PeerID are whom the topic names, "" for nobody and for strangers.
func (s *SeenTopic) OwnerID() UserID {
	switch {
	case s.Mine == nil:
		return ""
	case s.Kind() == Group:
		return s.Topic.Owner
	case s.Kind() == P2P:
		return ""
	}
	return s.Topic.ID.Owner()
}

func (s *SeenTopic) PeerID() UserID { return s.Topic.ID.Peer(s.Viewer) }
