package messaging

import "time"

// Subscription is that somebody takes part in a topic, or did: it stays when it has ended.
type Subscription struct {
	SubscriptionRef
	CreatedAt   time.Time
	UpdatedAt   time.Time
	DeletedAt   time.Time
	ReadSeqID   int
	RecvSeqID   int
	ClearID     int
	Want, Given Mode
	Private     JSON
}

// Lasts reports whether there is such a subscription that has not ended.
func (s *Subscription) Lasts() bool { return s != nil && s.DeletedAt.IsZero() }

// Mode is what the subscriber may do.
func (s *Subscription) Mode() Mode {
	if !s.Lasts() {
		return Nothing
	}
	return s.Want & s.Given
}

// Counts reports whether the subscriber takes part: neither ended nor pending, and not
// banned by anybody.
func (s *Subscription) Counts() bool { return s.Mode().Has(Join) }

// May reports whether the subscriber takes part and may do something.
func (s *Subscription) May(m Mode) bool { return s.Mode().Has(Join | m) }

// Refuses reports whether the subscriber wants nothing of the topic.
func (s *Subscription) Refuses() bool { return s.Lasts() && !s.Want.Has(Join) }

// Cleared is up to where the subscriber sees no messages of a topic.
func (s *Subscription) Cleared(t *Topic) int { return max(s.ClearID, t.ClearID) }

// Unread is how many messages of a topic the subscriber has not read.
func (s *Subscription) Unread(t *Topic) int {
	return max(0, t.SeqID-max(s.ReadSeqID, s.Cleared(t)))
}

// Ended returns s as it is once it has ended.
func (s *Subscription) Ended(now time.Time) *Subscription {
	ended := *s
	ended.DeletedAt, ended.UpdatedAt = now, now
	return &ended
}

// Revived returns s as it is once it has not ended.
func (s *Subscription) Revived(now time.Time) *Subscription {
	revived := *s
	revived.DeletedAt, revived.UpdatedAt = time.Time{}, now
	return &revived
}

// With returns s with other modes.
func (s *Subscription) With(want, given Mode, now time.Time) *Subscription {
	other := *s
	other.Want, other.Given, other.UpdatedAt = want, given, now
	return &other
}

// NewSubscription makes one.
func NewSubscription(t TopicID, id UserID, want, given Mode, now time.Time) *Subscription {
	return &Subscription{SubscriptionRef: SubscriptionRef{t, id}, CreatedAt: now, UpdatedAt: now, Want: want, Given: given}
}

// Hidden are the two subscriptions of every user to topics of their own. What a user notes
// for themselves goes with the first.
func Hidden(id UserID, private JSON, now time.Time) []*Subscription {
	own := NewSubscription(OwnTopic(id), id, HiddenMode, HiddenMode, now)
	own.Private = private
	return []*Subscription{own, NewSubscription(FindTopic(id), id, HiddenMode, HiddenMode, now)}
}

// CanSee reports whether a viewer, with a subscription of their own, sees another.
func CanSee(viewer, other *Subscription) bool {
	return viewer.User == other.User || viewer.Mode().IsSharer() || other.Counts()
}

// SeenSubscription is a subscription as a viewer sees it.
type SeenSubscription struct {
	*Subscription
	topic  *Topic
	Viewer UserID
}

// SeenBy returns a subscription to a topic as a viewer sees it.
func (s *Subscription) SeenBy(v UserID, t *Topic) *SeenSubscription {
	return &SeenSubscription{s, t, v}
}

func (s *SeenSubscription) ID() string { return s.SubscriptionRef.String() }

// In is the topic of the subscription.
func (s *SeenSubscription) In() *Topic { return s.topic }

func (s *SeenSubscription) Unread() int         { return s.Subscription.Unread(s.topic) }
func (s *SeenSubscription) Access() *SeenAccess { return &SeenAccess{s.Want, s.Given} }
func (s *SeenSubscription) Deleted() bool       { return !s.Lasts() }

func (s *SeenSubscription) Private() JSON {
	if s.User() != s.Viewer {
		return ""
	}
	return s.Subscription.Private
}

// User is whose subscription it is.
func (s *SeenSubscription) User() UserID { return s.Subscription.User }
