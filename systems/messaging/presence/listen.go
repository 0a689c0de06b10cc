package presence

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// ListenTopic returns a channel of events in a topic. It is closed when ctx ends, when the
// viewer may no longer read the topic, and when its reader falls behind.
func (s *Service) ListenTopic(ctx context.Context, v viewer.Viewer, name string, clientID *string) (<-chan *messaging.SeenTopicEvent, error) {
	if err := messaging.CheckClientID(clientID); err != nil {
		return nil, err
	}
	t, _ := messaging.ParseTopic(name, v.UserID)
	admit := func(ctx context.Context) error {
		p, err := messaging.Look(ctx, s.Store, v.UserID, name, "", messaging.Wanted{})
		if err == nil {
			err = p.Reads()
		}
		if err != nil {
			return err
		}
		return s.attach(ctx, v.UserID, t, "")
	}
	show := func(ctx context.Context, n *messaging.InTopic) (*messaging.SeenTopicEvent, bool, error) {
		return s.inTopic(ctx, v, n.News, clientID)
	}
	return outbox.Follow(ctx, s.Bus, messaging.TopicSubject(t), s.Now(), admit, show)
}

// inTopic returns news of a topic as a subscriber sees them, or nil if they are not for
// them.
func (s *Service) inTopic(ctx context.Context, v viewer.Viewer, n messaging.News, clientID *string) (event *messaging.SeenTopicEvent, last bool, err error) {
	if n.Kind == messaging.TopicDeleted {
		return n.SeenWith(nil, nil), true, nil
	}
	if n.WithheldFrom(v.UserID, clientID) {
		return nil, false, nil
	}
	p, event, err := s.see(ctx, v, n)
	if err == nil {
		err = p.Reads()
	}
	switch {
	case err != nil:
		return nil, false, err
	case n.Kind.IsPresence() && !p.Mine.May(messaging.Presence), n.Sharers && !p.Mine.Mode().IsSharer():
		return nil, false, nil
	}
	return event, false, nil
}

// see reads what news are about.
func (s *Service) see(ctx context.Context, v viewer.Viewer, n messaging.News) (*messaging.Place, *messaging.SeenTopicEvent, error) {
	var w messaging.Wanted
	if n.User != "" {
		w.Users, w.Presences = []messaging.UserID{n.User}, []messaging.UserID{n.User}
	}
	ref := messaging.MessageRef{Topic: n.Topic, Seq: n.Seq}
	if n.Kind == messaging.MessageEvent {
		w.Messages = []messaging.MessageRef{ref}
	}
	p, err := messaging.Look(ctx, s.Store, v.UserID, string(n.Topic), "", w)
	if err != nil {
		return nil, nil, err
	}
	var user *messaging.SeenUser
	if u := p.Users[n.User]; u != nil {
		user = u.SeenBy(v.UserID, p.Presences[n.User].Online(s.Now()))
	}
	var message *messaging.SeenMessage
	if m := p.Messages[ref]; m.Stored(s.Now()) && p.Reads() == nil && n.Seq > p.Mine.Cleared(p.Topic) {
		message = m.SeenBy(v.UserID, p.Mine)
		if user != nil {
			message = message.By(user)
		}
	}
	return p, n.SeenWith(message, user), nil
}

// ListenAccount returns a channel of events that concern the viewer, who is online
// meanwhile. It is closed when ctx ends, when the account is deleted or suspended, and when
// its reader falls behind.
func (s *Service) ListenAccount(ctx context.Context, v viewer.Viewer, clientID *string) (<-chan *messaging.SeenTopicEvent, error) {
	if err := messaging.CheckClientID(clientID); err != nil {
		return nil, err
	}
	admit := func(ctx context.Context) error {
		if _, err := messaging.Admit(ctx, s.Store, v.UserID); err != nil {
			return err
		}
		return s.attach(ctx, v.UserID, "", "")
	}
	show := func(ctx context.Context, n *messaging.ForAccount) (*messaging.SeenTopicEvent, bool, error) {
		if n.Ended {
			return nil, true, nil
		}
		event, err := s.forAccount(ctx, v, n.News, clientID)
		return event, false, err
	}
	return outbox.Follow(ctx, s.Bus, messaging.AccountSubject(v.UserID), s.Now(), admit, show)
}

// forAccount returns news as an account sees them, or nil if they are not for it.
func (s *Service) forAccount(ctx context.Context, v viewer.Viewer, n messaging.News, clientID *string) (*messaging.SeenTopicEvent, error) {
	if n.WithheldFrom(v.UserID, clientID) {
		return nil, nil
	}
	_, event, err := s.see(ctx, v, n)
	gone := errors.Is(err, messaging.ErrNoTopic)
	switch {
	case gone && (n.Kind == messaging.TopicDeleted || n.Kind == messaging.Unsubscribed):
		return n.SeenWith(nil, nil), nil
	case gone:
		return nil, nil
	case err != nil:
		return nil, err
	case n.Kind == messaging.MessageEvent && event.Message() == nil:
		return nil, nil
	}
	return event, nil
}

// Happened publishes an event to the topic's subscribers, and to accounts.
func (s *Service) Happened(e messaging.Happened, tell outbox.Tell) {
	tell(messaging.InTopic{News: e.News})
	for _, id := range e.Accounts {
		tell(messaging.ForAccount{News: e.News, Account: id})
	}
}

// HappenedForSharers publishes an event to the accounts of those who may invite.
func (s *Service) HappenedForSharers(ctx context.Context, e messaging.Happened, tell outbox.Tell) error {
	subs, err := s.Roster.Present(ctx, e.Topic)
	for _, sub := range subs {
		if sub.Mode().IsSharer() && sub.User != e.User {
			tell(messaging.ForAccount{News: e.News, Account: sub.User})
		}
	}
	return err
}

// Published publishes a message to the topic's subscribers, and to the accounts of a
// two-person topic.
func (s *Service) Published(e messaging.Published, tell outbox.Tell) {
	tell(messaging.InTopic{News: e.News()})
	if a, b, ok := e.Message.Topic.Pair(); ok {
		tell(messaging.ForAccount{News: e.News(), Account: a}, messaging.ForAccount{News: e.News(), Account: b})
	}
}

// PublishedInGroup publishes a message to the accounts of those who may read it.
func (s *Service) PublishedInGroup(ctx context.Context, e messaging.Published, tell outbox.Tell) error {
	subs, err := s.Roster.Present(ctx, e.Message.Topic)
	for _, sub := range subs {
		if sub.May(messaging.Read) {
			tell(messaging.ForAccount{News: e.News(), Account: sub.User})
		}
	}
	return err
}

// PresenceChanged notifies the other users of two-person topics that a user went online or
// offline, some at a time.
func (s *Service) PresenceChanged(ctx context.Context, e messaging.PresenceChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	p, err := s.Subscriptions.By(ctx, e.User, time.Time{}, page.Query{First: page.Max, After: cursor}, false)
	if err != nil {
		return "", 0, err
	}
	var w messaging.Wanted
	for _, sub := range p.Items {
		if peer := sub.Topic.Peer(e.User); peer != "" && sub.Counts() {
			w.Subscriptions = append(w.Subscriptions, messaging.SubscriptionRef{Topic: sub.Topic, User: peer})
		}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return "", 0, err
	}
	for _, ref := range w.Subscriptions {
		if facts.Subscriptions[ref].May(messaging.Presence) {
			n := messaging.News{Kind: e.Kind, Topic: ref.Topic, User: e.User, Agent: e.Agent}
			tell(messaging.InTopic{News: n}, messaging.ForAccount{News: n, Account: ref.User})
		}
	}
	return p.Next, 0, nil
}
