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

// Refuses reports whether the user wants nothing of the topic.
func (s *Subscription) Refuses() bool { return s != nil && !s.Want.Has(Join) }

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

// SeenSubscription is a subscription to a topic as a viewer of that sees it.
type SeenSubscription struct {
	*Subscription
	// In is the topic.
	In *SeenTopic
}

// SeenIn returns s as a viewer of its topic sees it.
func (s *Subscription) SeenIn(t *SeenTopic) *SeenSubscription { return &SeenSubscription{s, t} }

func (s *SeenSubscription) ID() string          { return s.SubscriptionRef.String() }
func (s *SeenSubscription) UserID() UserID      { return s.SubscriptionRef.User }
func (s *SeenSubscription) Unread() int         { return s.Subscription.Unread(s.In.Topic) }
func (s *SeenSubscription) Access() *SeenAccess { return &SeenAccess{s.Want, s.Given} }
func (s *SeenSubscription) Deleted() bool       { return !s.Lasts() }

// Private is for who noted it.
func (s *SeenSubscription) Private() JSON {
	if s.UserID() != s.In.Viewer {
		return ""
	}
	return s.Subscription.Private
}

// Search is what somebody saved with the subscription to where they search.
func (s *Subscription) Search() string { return s.Private.Text() }

// Searching returns s with another search.
func (s *Subscription) Searching(text string, now time.Time) *Subscription {
	other := *s
	other.Private, other.UpdatedAt = "", now
	if text != "" {
		other.Private, _ = JSONOf(text)
	}
	return &other
}

// Noting returns s with another note.
func (s *Subscription) Noting(note JSON, now time.Time) *Subscription {
	other := *s
	other.Private, other.UpdatedAt = note, now
	return &other
}

// Noted returns s once somebody has noted to have come as far as a number, nil where that
// changes nothing: it lies beyond the end, or the subscriber has come as far already.
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

// ClearedTo returns s once messages up to a number are hidden from the subscriber.
func (s *Subscription) ClearedTo(seq int) *Subscription {
	other := *s
	other.ClearID = max(other.ClearID, seq)
	other.ReadSeqID = max(other.ReadSeqID, seq)
	other.RecvSeqID = max(other.RecvSeqID, other.ReadSeqID)
	return &other
}
