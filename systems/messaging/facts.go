package messaging

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/page"
)

// Wanted lists things to be read together, consistently.
type Wanted struct {
	Users         []UserID
	Secrets       []string
	Tags          []string
	Topics        []TopicID
	Subscriptions []SubscriptionRef
	Messages      []MessageRef
	// Presences are users whose sessions are read.
	Presences []UserID
	// Versions are users whose token versions are read.
	Versions []UserID
}

// Facts contains those wanted things that exist.
type Facts struct {
	Users         map[UserID]*User
	Secrets       map[string]*Secret
	Tags          map[string]UserID
	Topics        map[TopicID]*Topic
	Subscriptions map[SubscriptionRef]*Subscription
	Messages      map[MessageRef]*Message
	Presences     map[UserID]*Sessions
	Versions      map[UserID]int
}

// Reader reads facts.
type Reader interface {
	// Facts never returns nil facts, not even with an error.
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// SubscriberLister lists the subscribers of topics.
type SubscriberLister interface {
	// Of returns the subscriptions to a topic, in no particular order.
	Of(ctx context.Context, t TopicID, q page.Query) (page.Page[*Subscription], error)
}

// Roster lists the present subscribers of topics, at the price of one read unless they have
// changed.
type Roster interface {
	// Present returns the subscriptions to a topic that have not ended, with their modes
	// only, in no particular order. They must not be changed.
	Present(ctx context.Context, t TopicID) ([]*Subscription, error)
}

// SubscriptionLister lists subscriptions by topic and by user.
type SubscriptionLister interface {
	SubscriberLister
	// By returns a user's subscriptions that changed after a time, which may be zero,
	// ordered by their last change.
	By(ctx context.Context, id UserID, since time.Time, q page.Query, newestFirst bool) (page.Page[*Subscription], error)
}

// Admit reads the viewer, who must have an active account.
func Admit(ctx context.Context, r Reader, id UserID) (Viewer, error) {
	_, v, err := Ask(ctx, r, id, Wanted{})
	return v, err
}

// Ask reads facts and the viewer, who must have an active account.
func Ask(ctx context.Context, r Reader, id UserID, w Wanted) (*Facts, Viewer, error) {
	if !isShort(string(id)) {
		return nil, Viewer{}, ErrUnauthenticated
	}
	w.Users = append(slices.Clone(w.Users), id)
	f, err := r.Facts(ctx, w)
	if err != nil {
		return nil, Viewer{}, err
	}
	if !f.Users[id].Active() {
		return f, Viewer{}, ErrUnauthenticated
	}
	return f, Viewer{f.Users[id]}, nil
}

// HasAccount reports whether a caller may have an account in this system, unlike operators
// of the service.
func HasAccount(id UserID) bool { return isShort(string(id)) }

// Place is a topic with everything that decides what a viewer may do there.
type Place struct {
	*Topic
	Viewer Viewer
	// Mine is the viewer's subscription and Other that of the member in question, nil if
	// there is none. Either may have ended.
	Mine, Other *Subscription
	// Peer is the other user of a two-person topic, and Target the member in question.
	Peer, Target *User
	*Facts
}

// Look reads a topic for a viewer, a member of it, and further facts. It fails with
// ErrNoTopic if there is no such topic, and for a two-person topic of others.
func Look(ctx context.Context, r Reader, id UserID, name string, member UserID, w Wanted) (*Place, error) {
	t, ok := ParseTopic(name, id)
	if !ok {
		t = ""
	}
	mine, other := SubscriptionRef{t, id}, SubscriptionRef{t, member}
	if ok {
		w.Topics = append(w.Topics, t)
		w.Subscriptions = append(w.Subscriptions, mine)
		if peer := t.Peer(id); peer != "" {
			w.Users = append(w.Users, peer)
		}
		if member != "" && member != id {
			w.Subscriptions, w.Users = append(w.Subscriptions, other), append(w.Users, member)
		}
	}
	facts, v, err := Ask(ctx, r, id, w)
	if err != nil {
		return nil, err
	}
	p := &Place{
		Viewer: v,
		Facts:  facts,
		Topic:  facts.Topics[t],
		Mine:   facts.Subscriptions[mine],
		Other:  facts.Subscriptions[other],
		Peer:   facts.Users[t.Peer(id)],
		Target: facts.Users[member],
	}
	if kind := t.Kind(); ok && (kind == Me || kind == Find) {
		p.Topic = OwnTopicOf(t, v.User)
	}
	if p.Topic == nil || !p.Exists() || t.Kind() == P2P && !p.Mine.Active() {
		return nil, ErrNoTopic
	}
	return p, nil
}

// IsOwn reports whether the topic belongs to a single user.
func (p *Place) IsOwn() bool { kind := p.Topic.ID.Kind(); return kind == Me || kind == Find }

// Kind returns the kind of the topic.
func (p *Place) Kind() TopicKind { return p.Topic.ID.Kind() }

// Authority is what a change of a subscription by somebody depends on: the owner of the group,
// "" if it does not matter, and the subscription by which the other user makes it, nil if the
// subscriber does.
type Authority struct {
	Owner UserID
	By    *Subscription
}

// Over returns the viewer's authority over the subscription of a user.
func (p *Place) Over(id UserID) Authority {
	if id == p.Viewer.ID {
		return Authority{Owner: p.Owner}
	}
	return Authority{p.Owner, p.Mine}
}

// Seen returns the topic as the viewer sees it.
func (p *Place) Seen() *SeenTopic { return p.Topic.SeenBy(p.Viewer.ID, p.Mine, p.Peer) }

// Widening returns the permissions that viewers may give to themselves: in groups, admins
// may widen theirs except for O and D; in two-person topics, only the other user gives.
func (p *Place) Widening() Mode {
	if p.Kind() != Group || !p.Mine.Mode().IsAdmin() {
		return Nothing
	}
	return OwnerMode &^ (Own | Delete)
}

// Reads refuses viewers who may not read the topic.
func (p *Place) Reads() error {
	if !p.Mine.May(Read) {
		return ErrNoRead
	}
	return nil
}

// Sessions contains a user's sessions, which determine whether they are online.
type Sessions struct {
	User UserID `dynamo:"userId,keyonly"`
	// Open contains the live subscriptions and devices, by id.
	Open map[string]Session `dynamo:"open"`
	// Revision is the condition of changes.
	Revision int `dynamo:"revision,zero"`
	// AnnouncedAgent is the client last announced to others. AgentAt is when a switch of clients
	// was last announced.
	AnnouncedAgent string    `dynamo:"agent"`
	AgentAt        time.Time `dynamo:"agentAt"`
	// Announced is set if the user was announced as online.
	Announced bool `dynamo:"told,zero"`
}

// Session is a live subscription or a device of a user. It expires unless it is renewed.
type Session struct {
	Until time.Time `dynamo:"until"`
	// Topic is the topic that the session is attached to, "" for one that makes the user
	// online.
	Topic TopicID `dynamo:"topic"`
	Agent string  `dynamo:"agent"`
}

// Online reports whether the user is online. s may be nil.
func (s *Sessions) Online(now time.Time) bool { return s.has("", now) }

// Attached reports whether the user is attached to a topic.
func (s *Sessions) Attached(t TopicID, now time.Time) bool { return s.has(t, now) }

func (s *Sessions) has(t TopicID, now time.Time) bool {
	if s == nil {
		return false
	}
	for _, session := range s.Open {
		if session.Topic == t && now.Before(session.Until) {
			return true
		}
	}
	return false
}

// Left is when a user last went offline, and with which client.
type Left struct {
	At    time.Time
	Agent string
}

// Agent returns the client of the newest session that makes the user online, or "" if none
// is known.
func (s *Sessions) Agent() string {
	if s == nil {
		return ""
	}
	last, agent := time.Time{}, ""
	for _, session := range s.Open {
		if session.Topic == "" && session.Agent != "" && session.Until.After(last) {
			last, agent = session.Until, session.Agent
		}
	}
	return agent
}

// Ends reports whether there is an expired session that is still stored.
func (s *Sessions) Ends(now time.Time) bool {
	for _, session := range s.Open {
		if !now.Before(session.Until) {
			return true
		}
	}
	return false
}
