package messaging

import (
	"fmt"
	"time"
)

// Subscription is a present or former subscription of a user to a topic. It is kept after
// it has ended.
type Subscription struct {
	SubscriptionRef
	CreatedAt time.Time `dynamo:"CreatedAt"`
	UpdatedAt time.Time `dynamo:"UpdatedAt"`
	DeletedAt time.Time `dynamo:"DeletedAt,null"`
	ReadSeqID int       `dynamo:"ReadSeqId,zero"`
	RecvSeqID int       `dynamo:"RecvSeqId,zero"`
	ClearID   int       `dynamo:"ClearId,zero"`
	Want      Mode      `dynamo:"ModeWant,zero"`
	Given     Mode      `dynamo:"ModeGiven,zero"`
	Private   JSON      `dynamo:"Private,json,null"`
	// Held are the numbers of messages by the user that may be held.
	Held []int `dynamo:"-"`
}

// Active reports whether the subscription exists and has not ended.
func (s *Subscription) Active() bool { return s != nil && s.DeletedAt.IsZero() }

// Mode returns the subscriber's effective permissions.
func (s *Subscription) Mode() Mode {
	if !s.Active() {
		return Nothing
	}
	return s.Want & s.Given
}

// Counts reports whether the user is a full subscriber: the subscription has neither ended
// nor is it pending, and neither side has banned the other.
func (s *Subscription) Counts() bool { return s.Mode().Has(Join) }

// May reports whether the user is a full subscriber with the given permissions.
func (s *Subscription) May(m Mode) bool { return s.Mode().Has(Join | m) }

// Refuses reports whether the user has banned the topic.
func (s *Subscription) Refuses() bool { return s != nil && !s.Want.Has(Join) }

// Cleared returns the number up to which messages are hidden from the subscriber.
func (s *Subscription) Cleared(t *Topic) int { return max(s.ClearID, t.ClearID) }

// Unread returns the number of messages that the subscriber has not read.
func (s *Subscription) Unread(t *Topic) int {
	return max(0, t.SeqID-max(s.ReadSeqID, s.Cleared(t)))
}

// Ended returns s after it has ended.
func (s *Subscription) Ended(now time.Time) *Subscription {
	ended := *s
	ended.DeletedAt, ended.UpdatedAt = now, now
	return &ended
}

// Revived returns s after it is restored.
func (s *Subscription) Revived(now time.Time) *Subscription {
	revived := *s
	revived.DeletedAt, revived.UpdatedAt = time.Time{}, now
	return &revived
}

// With returns s with new modes.
func (s *Subscription) With(want, given Mode, now time.Time) *Subscription {
	other := *s
	other.Want, other.Given, other.UpdatedAt = want, given, now
	return &other
}

// NewSubscription returns a new subscription.
func NewSubscription(t TopicID, id UserID, want, given Mode, now time.Time) *Subscription {
	return &Subscription{SubscriptionRef: SubscriptionRef{t, id}, CreatedAt: now, UpdatedAt: now, Want: want, Given: given}
}

// SubscriptionChange is a subscription as read, and as it is afterwards.
type SubscriptionChange struct{ Before, After *Subscription }

// Hidden returns the two subscriptions of every user to topics of their own. private is
// stored with the first.
func Hidden(id UserID, private JSON, now time.Time) []*Subscription {
	own := NewSubscription(OwnTopic(id), id, HiddenMode, HiddenMode, now)
	own.Private = private
	return []*Subscription{own, NewSubscription(FindTopic(id), id, HiddenMode, HiddenMode, now)}
}

// CanSee reports whether a viewer with a subscription sees another subscription.
func CanSee(viewer, other *Subscription) bool {
	return viewer.User == other.User || viewer.Mode().IsSharer() || other.Counts()
}

// SeenSubscription is a subscription to a topic as a viewer of that sees it.
type SeenSubscription struct {
	subscription *Subscription
	topic        *SeenTopic
}

// SeenIn returns s as a viewer of its topic sees it.
func (s *Subscription) SeenIn(t *SeenTopic) *SeenSubscription {
	s.is(t.topic.ID, s.User)
	return &SeenSubscription{s, t}
}

// is panics if s, which may be nil, is another subscription than that of a user to a topic.
func (s *Subscription) is(t TopicID, id UserID) {
	if ref := (SubscriptionRef{t, id}); s != nil && s.SubscriptionRef != ref {
		panic(fmt.Sprintf("messaging: the subscription %s is not %s", s.SubscriptionRef, ref))
	}
}

// UserID returns the subscriber.
func (s *SeenSubscription) UserID() UserID { return s.subscription.User }

// MayRead reports whether the subscriber may read the topic.
func (s *SeenSubscription) MayRead() bool { return s.subscription.May(Read) }

func (s *SeenSubscription) ID() string           { return s.subscription.String() }
func (s *SeenSubscription) Topic() *SeenTopic    { return s.topic }
func (s *SeenSubscription) CreatedAt() time.Time { return s.subscription.CreatedAt }
func (s *SeenSubscription) UpdatedAt() time.Time { return s.subscription.UpdatedAt }
func (s *SeenSubscription) ReadSeqID() int       { return s.subscription.ReadSeqID }
func (s *SeenSubscription) RecvSeqID() int       { return s.subscription.RecvSeqID }
func (s *SeenSubscription) ClearID() int         { return s.subscription.ClearID }
func (s *SeenSubscription) Unread() int          { return s.subscription.Unread(s.topic.topic) }
func (s *SeenSubscription) Deleted() bool        { return !s.subscription.Active() }

func (s *SeenSubscription) Access() *SeenAccess {
	return &SeenAccess{s.subscription.Want, s.subscription.Given}
}

// Private returns the private note to its author only.
func (s *SeenSubscription) Private() JSON {
	if s.UserID() != s.topic.viewer {
		return ""
	}
	return s.subscription.Private
}

// Search returns the search saved with the subscription to the search topic.
func (s *Subscription) Search() string { return s.Private.Text() }

// Searching returns s with another saved search.
func (s *Subscription) Searching(text string, now time.Time) *Subscription {
	other := *s
	other.Private, other.UpdatedAt = "", now
	if text != "" {
		other.Private, _ = JSONOf(text)
	}
	return &other
}

// Noting returns s with another private note.
func (s *Subscription) Noting(note JSON, now time.Time) *Subscription {
	other := *s
	other.Private, other.UpdatedAt = note, now
	return &other
}

// Noted returns s after a receipt up to a number, or nil if it has no effect because the
// number is beyond the end or not higher than before.
func (s *Subscription) Noted(kind NoteKind, seq, last int) *Subscription {
	at := s.RecvSeqID
	if kind == NoteRead {
		at = s.ReadSeqID
	}
	if seq > last || seq <= at {
		return nil
	}
	other := *s
	other.RecvSeqID = max(other.RecvSeqID, seq)
	if kind == NoteRead {
		other.ReadSeqID = seq
	}
	return &other
}

// ClearedTo returns s after messages up to a number are hidden from the subscriber.
func (s *Subscription) ClearedTo(seq int) *Subscription {
	other := *s
	other.ClearID = max(other.ClearID, seq)
	other.ReadSeqID = max(other.ReadSeqID, seq)
	other.RecvSeqID = max(other.RecvSeqID, other.ReadSeqID)
	return &other
}
