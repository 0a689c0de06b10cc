package messaging

import (
	"time"

	"stoa/internal/kit/input"
)

// TopicKind is the kind of a topic.
type TopicKind string

const (
	Me    TopicKind = "ME"
	Find  TopicKind = "FIND"
	P2P   TopicKind = "P2P"
	Group TopicKind = "GROUP"
)

// Topic is a stream of messages with subscribers.
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
	Owner     UserID // for a group
	SubCount  int
}

// Lives reports whether the topic exists.
func (t *Topic) Lives() bool { return t != nil && t.DeletedAt.IsZero() }

// OwnTopicOf returns a topic of a single user, which is stored with the user.
func OwnTopicOf(id TopicID, u *User) *Topic {
	return &Topic{ID: id, CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt, Public: u.Public, Access: u.Access, SubCount: 1}
}

// GroupPlan contains the details of a new group.
type GroupPlan struct {
	Public, Private JSON
	Access          *AccessPlan
	Mode            *string
}

// ChatPlan contains the details of a new two-person topic.
type ChatPlan struct {
	Private        JSON
	Mode, PeerMode *string
}

// TopicChange is a change of a topic.
type TopicChange struct {
	Public input.Edit[JSON]
	Access *AccessPlan
}

// SeenTopic is a topic as a viewer sees it. Viewers without a subscription see only the
// description of a group.
type SeenTopic struct {
	*Topic
	Viewer UserID
	// Mine is the viewer's subscription, or nil if it does not exist or has ended.
	Mine *Subscription
	// Peer is the other user of a two-person topic, nil if they are gone, and SeenPeer the
	// same user as the viewer sees them, if that was read.
	Peer     *User
	SeenPeer *SeenUser
}

// SeenBy returns t as a viewer sees it, given their subscription and the other user of a
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

// shown returns n to subscribers and 0 to others.
func (s *SeenTopic) shown(n int) int {
	if s.Mine == nil {
		return 0
	}
	return n
}

func (s *SeenTopic) SeqID() int           { return s.shown(s.Topic.SeqID) }
func (s *SeenTopic) ClearID() int         { return s.shown(s.Topic.ClearID) }
func (s *SeenTopic) SubscriberCount() int { return s.shown(s.SubCount) }

// MySubscription returns the viewer's subscription, or nil to non-subscribers.
func (s *SeenTopic) MySubscription() *SeenSubscription {
	if s.Mine == nil {
		return nil
	}
	return s.Mine.SeenIn(s)
}

// OwnerID and PeerID return "" if there is no such user, and to non-subscribers.
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
