package messaging

import (
	"context"
	"slices"
	"time"
)

// Wanted names things to read together, as they are now.
type Wanted struct {
	Users         []UserID
	Secrets       []string
	Tags          []string
	Topics        []TopicID
	Subscriptions []SubscriptionRef
	Messages      []MessageRef
	// Presences are users of whom it is asked whether they are there.
	Presences []UserID
	// Versions are users whose tokens are asked about.
	Versions []UserID
}

// Facts are those of the wanted things that are there.
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
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// Ask reads facts together with whoever asks for them, who must have an account in use.
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

// HasAccount reports whether a caller can have an account here: operators of the service
// need none.
func HasAccount(id UserID) bool { return isShort(string(id)) }

// Place is a topic with what decides what a viewer may do there.
type Place struct {
	*Topic
	Viewer Viewer
	// Mine is the viewer's subscription and Other that of the member in question, nil
	// where there is none; either may have ended.
	Mine, Other *Subscription
	// Peer is the other one of a two-person topic, and Target the member in question.
	Peer, Target *User
	*Facts
}

// Look reads a topic for a viewer, a member of it, and further facts. It fails with
// ErrNoTopic for what is no topic, and for a two-person topic of others.
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
	p := &Place{Viewer: v, Facts: facts, Topic: facts.Topics[t], Mine: facts.Subscriptions[mine], Other: facts.Subscriptions[other], Peer: facts.Users[t.Peer(id)], Target: facts.Users[member]}
	if kind := t.Kind(); ok && (kind == Me || kind == Find) {
		p.Topic = OwnTopicOf(t, v.User)
	}
	if p.Topic == nil || !p.Lives() || t.Kind() == P2P && !p.Mine.Lasts() {
		return nil, ErrNoTopic
	}
	return p, nil
}

// IsOwn reports whether the topic is one that a user has alone.
func (p *Place) IsOwn() bool { kind := p.Topic.ID.Kind(); return kind == Me || kind == Find }

// Kind is that of the topic.
func (p *Place) Kind() TopicKind { return p.Topic.ID.Kind() }

// Seen is the topic as the viewer sees it.
func (p *Place) Seen() *SeenTopic { return p.Topic.SeenBy(p.Viewer.ID, p.Mine, p.Peer) }

// Reads refuses viewers who may not read.
func (p *Place) Reads() error {
	if !p.Mine.May(Read) {
		return ErrNoRead
	}
	return nil
}

// Sessions say whether a user is there.
type Sessions struct {
	User UserID
	// Open are live subscriptions and devices, by their ids.
	Open map[string]Session
	// Revision is what changes are conditional on.
	Revision int
	// AgentTold is the client that others know of, and AgentAt when they were told.
	AgentTold string
	AgentAt   time.Time
	// Told says that others know the user as online.
	Told bool
}

// Session is a live subscription or device of a user, which ends by itself unless it is
// kept.
type Session struct {
	Until time.Time
	// Topic is what it is attached to, "" for what makes the user online.
	Topic TopicID
	Agent string
}

// Online reports whether the user is there at a time. Nil is nobody.
func (s *Sessions) Online(now time.Time) bool { return s.has("", now) }

// Attached reports whether the user listens to a topic.
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

// Left says when somebody was there last, and with which client.
type Left struct {
	At    time.Time
	Agent string
}

// Agent is the client of a session that makes the user online, "" when none is told.
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

// Ends reports whether a session has ended by a time that is still written down.
func (s *Sessions) Ends(now time.Time) bool {
	for _, session := range s.Open {
		if !now.Before(session.Until) {
			return true
		}
	}
	return false
}
