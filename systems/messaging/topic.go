package messaging

import (
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
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
	ID        TopicID   `dynamo:"Id"`
	CreatedAt time.Time `dynamo:"CreatedAt"`
	UpdatedAt time.Time `dynamo:"UpdatedAt"`
	DeletedAt time.Time `dynamo:"DeletedAt,null"`
	TouchedAt time.Time `dynamo:"TouchedAt"`
	Access    Access    `dynamo:"Access,zero"`
	Public    JSON      `dynamo:"Public,json,null"`
	SeqID     int       `dynamo:"SeqId,zero"`
	ClearID   int       `dynamo:"ClearId,zero"`
	Owner     UserID    `dynamo:"Owner"` // for a group
	SubCount  int       `dynamo:"SubCount,zero"`
	// Revision increases with every change of who may do what in the topic.
	Revision int `dynamo:"Revision"`
	// HeldID is the number of messages that were held before others saw them.
	HeldID int `dynamo:"HeldId"`
}

// Exists reports whether the topic exists.
func (t *Topic) Exists() bool { return t != nil && t.DeletedAt.IsZero() }

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
	topic  *Topic
	viewer UserID
	// mine is the viewer's subscription, or nil if it does not exist or has ended.
	mine *Subscription
	// peer is the other user of a two-person topic, nil if they are gone, and seenPeer the
	// same user as the viewer sees them, if that was read.
	peer     *User
	seenPeer *SeenUser
}

// SeenBy returns t as a viewer sees it, given their subscription and the other user of a
// two-person topic.
func (t *Topic) SeenBy(v UserID, mine *Subscription, peer *User) *SeenTopic {
	mine.is(t.ID, v)
	s := &SeenTopic{topic: t, viewer: v, peer: peer}
	if mine.Active() {
		s.mine = mine
	}
	return s
}

// With sets the other user of a two-person topic as the viewer sees them, and returns the
// topic.
func (s *SeenTopic) With(peer *SeenUser) *SeenTopic {
	peer.is(s.PeerID())
	s.seenPeer = peer
	return s
}

// KnownPeer returns the other user as the viewer sees them, or nil if that was not read.
func (s *SeenTopic) KnownPeer() *SeenUser { return s.seenPeer }

// Ref returns the stored id of the topic.
func (s *SeenTopic) Ref() TopicID { return s.topic.ID }

// Subscribed reports whether the viewer is a subscriber.
func (s *SeenTopic) Subscribed() bool { return s.mine != nil }

func (s *SeenTopic) ID() string           { return string(s.topic.ID) }
func (s *SeenTopic) Kind() TopicKind      { return s.topic.ID.Kind() }
func (s *SeenTopic) CreatedAt() time.Time { return s.topic.CreatedAt }
func (s *SeenTopic) UpdatedAt() time.Time { return s.topic.UpdatedAt }
func (s *SeenTopic) TouchedAt() *time.Time {
	if s.mine == nil {
		return nil
	}
	return optional.IfSet(s.topic.TouchedAt)
}

func (s *SeenTopic) Public() JSON {
	if s.Kind() != P2P {
		return s.topic.Public
	}
	if s.peer == nil {
		return ""
	}
	return s.peer.Public
}

func (s *SeenTopic) DefaultAccess() *SeenDefault { return &SeenDefault{s.topic.Access} }

// shown returns n to subscribers and 0 to others.
func (s *SeenTopic) shown(n int) int {
	if s.mine == nil {
		return 0
	}
	return n
}

func (s *SeenTopic) SeqID() int           { return s.shown(s.topic.SeqID) }
func (s *SeenTopic) ClearID() int         { return s.shown(s.topic.ClearID) }
func (s *SeenTopic) SubscriberCount() int { return s.shown(s.topic.SubCount) }

// MySubscription returns the viewer's subscription, or nil to non-subscribers.
func (s *SeenTopic) MySubscription() *SeenSubscription {
	if s.mine == nil {
		return nil
	}
	return s.mine.SeenIn(s)
}

// OwnerID and PeerID return "" if there is no such user, and to non-subscribers.
func (s *SeenTopic) OwnerID() UserID {
	switch {
	case s.mine == nil:
		return ""
	case s.Kind() == Group:
		return s.topic.Owner
	case s.Kind() == P2P:
		return ""
	}
	return s.topic.ID.Owner()
}

func (s *SeenTopic) PeerID() UserID { return s.topic.ID.Peer(s.viewer) }
