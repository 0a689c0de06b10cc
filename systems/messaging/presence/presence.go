// Package presence tracks which users are online, and delivers events to live
// subscriptions.
//
// A live subscription is a session: a lease renewed by its process, so that it expires when
// the process dies. A user is online while they have a session that makes them so. The
// first and the last one are announced to the other users of their two-person topics.
package presence

import (
	"context"
	"maps"
	"sync"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/turns"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

const (
	// lease is the lifetime of a live subscription that is not renewed. Its process renews
	// it once a third of that has passed, which it checks at this interval.
	lease      = 30 * time.Second
	checkEvery = lease / 6
	// deviceLease is how long a user who reports to be online remains so.
	deviceLease = 60 * time.Second
	// agentEvery is the minimum interval between announcements that a user has switched to
	// another client.
	agentEvery = time.Minute
)

// device is the session of a user who reports to be online.
const device = "device"

// Store stores sessions. Swap fails with a conflict if they have changed since they were
// read.
type Store interface {
	messaging.Reader
	Swap(ctx context.Context, before, after *messaging.Sessions, left messaging.Left, events ...outbox.Record) error
	All(ctx context.Context, shard int, q page.Query) (page.Page[*messaging.Sessions], error)
	Shards() int
}

// Service implements the presence area. Its fields are set once.
type Service struct {
	decision.Frame
	Store         Store
	Subscriptions messaging.SubscriptionLister
	Roster        messaging.Roster
	Bus           outbox.Bus

	// turns serialize changes of the same user's sessions.
	turns *turns.Turns

	mu sync.Mutex
	// held are the live subscriptions of this process, by user. Those of a user are renewed
	// together.
	held map[messaging.UserID]*holding
}

// holding is the live subscriptions of a user in this process.
type holding struct {
	sessions map[string]messaging.Session
	// until is when the first of them expires, as far as they are stored.
	until time.Time
}

// New returns the area.
func New(store Store, subscriptions messaging.SubscriptionLister, roster messaging.Roster, bus outbox.Bus, frame decision.Frame) *Service {
	return &Service{
		Store: store, Subscriptions: subscriptions, Roster: roster, Bus: bus, Frame: frame,
		turns: turns.New(1), held: map[messaging.UserID]*holding{},
	}
}

// GoOnline records that the viewer is online for a while.
func (s *Service) GoOnline(ctx context.Context, v viewer.Viewer, agent *string) (time.Time, error) {
	return s.said(ctx, v, agent, func(open map[string]messaging.Session, now time.Time, name string) {
		open[device] = messaging.Session{Until: now.Add(deviceLease), Agent: name}
	})
}

// GoOffline undoes GoOnline.
func (s *Service) GoOffline(ctx context.Context, v viewer.Viewer, agent *string) (time.Time, error) {
	return s.said(ctx, v, agent, func(open map[string]messaging.Session, _ time.Time, _ string) { delete(open, device) })
}

func (s *Service) said(ctx context.Context, v viewer.Viewer, agent *string, change func(map[string]messaging.Session, time.Time, string)) (time.Time, error) {
	if _, err := messaging.Admit(ctx, s.Store, v.UserID); err != nil {
		return time.Time{}, err
	}
	name := optional.Or(agent, "")
	if err := messaging.CheckAgent(name); err != nil {
		return time.Time{}, err
	}
	return s.Now(), s.alter(ctx, v.UserID, name, func(open map[string]messaging.Session, now time.Time) { change(open, now, name) })
}

// alter changes the sessions of a user, deletes expired ones, renews those of this process,
// and notifies others if the user goes online or offline as a result.
func (s *Service) alter(ctx context.Context, id messaging.UserID, agent string, change func(open map[string]messaging.Session, now time.Time)) error {
	done, err := s.turns.Acquire(ctx, string(id), 1)
	defer done()
	if err != nil {
		return err
	}
	return s.store(ctx, id, agent, change)
}

// store is alter for a caller whose turn it is.
func (s *Service) store(ctx context.Context, id messaging.UserID, agent string, change func(open map[string]messaging.Session, now time.Time)) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		facts, err := s.Store.Facts(ctx, messaging.Wanted{Presences: []messaging.UserID{id}})
		if err != nil {
			return err
		}
		now, before := s.Now(), facts.Presences[id]
		after := &messaging.Sessions{User: id, Open: map[string]messaging.Session{}}
		if before != nil {
			after.Revision, after.AnnouncedAgent, after.AgentAt, after.Announced = before.Revision+1, before.AnnouncedAgent, before.AgentAt, before.Announced
			maps.Copy(after.Open, before.Open)
		}
		maps.DeleteFunc(after.Open, func(_ string, session messaging.Session) bool { return !now.Before(session.Until) })
		change(after.Open, now)
		until := now.Add(lease)
		held := s.extend(id, after.Open, until)
		events, left := s.turned(before, after, agent, now)
		if before == nil && len(after.Open) == 0 {
			return nil
		}
		if len(after.Open) == 0 {
			after = nil
		}
		if err := s.Store.Swap(ctx, before, after, left, a.Emit(events...)...); err != nil {
			return err
		}
		s.extended(id, held, until)
		return nil
	})
}

// hold adds a live subscription to those that this process renews.
func (s *Service) hold(id messaging.UserID, session string, what messaging.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[id]
	if h == nil {
		h = &holding{sessions: map[string]messaging.Session{}}
		s.held[id] = h
	}
	h.sessions[session], h.until = what, time.Time{}
}

// release undoes hold.
func (s *Service) release(id messaging.UserID, session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.held[id]; h != nil {
		if delete(h.sessions, session); len(h.sessions) == 0 {
			delete(s.held, id)
		}
	}
}

// extend sets the expiry of a user's live subscriptions in this process, and returns their
// number.
func (s *Service) extend(id messaging.UserID, open map[string]messaging.Session, until time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[id]
	if h == nil {
		return 0
	}
	for name, session := range h.sessions {
		session.Until = until
		open[name] = session
	}
	return len(h.sessions)
}

// extended records that the live subscriptions, of which there were n, are stored.
func (s *Service) extended(id messaging.UserID, n int, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.held[id]; h != nil && len(h.sessions) <= n {
		h.until = until
	}
}

// due reports whether a third of the lease of a user's live subscriptions has passed.
func (s *Service) due(id messaging.UserID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[id]
	return h != nil && h.until.Sub(s.Now()) <= lease*2/3
}

// renew renews the live subscriptions of a user that are due, all in one write.
func (s *Service) renew(ctx context.Context, id messaging.UserID, agent string) error {
	if !s.due(id) {
		return nil
	}
	done, err := s.turns.Acquire(ctx, string(id), 1)
	defer done()
	if err != nil {
		return err
	}
	if !s.due(id) { // another one has renewed them meanwhile
		return nil
	}
	return s.store(ctx, id, agent, func(map[string]messaging.Session, time.Time) {})
}

// turned returns the events for a change of sessions.
func (s *Service) turned(before, after *messaging.Sessions, agent string, now time.Time) (events []outbox.Event, left messaging.Left) {
	online := after.Online(now)
	switch {
	case online && !after.Announced:
		after.Announced, after.AnnouncedAgent = true, agent
		events = append(events, messaging.PresenceChanged{User: after.User, Kind: messaging.Online, Agent: agent})
	case !online && after.Announced:
		after.Announced = false
		left = messaging.Left{At: now, Agent: agent}
		if left.Agent == "" {
			left.Agent = before.Agent()
		}
		events = append(events, messaging.PresenceChanged{User: after.User, Kind: messaging.Offline, Agent: left.Agent})
	case online && agent != "" && agent != after.AnnouncedAgent && now.Sub(after.AgentAt) >= agentEvery:
		after.AnnouncedAgent, after.AgentAt = agent, now
		events = append(events, messaging.PresenceChanged{User: after.User, Kind: messaging.AgentEvent, Agent: agent})
	}
	return events, left
}

// attach keeps a session of a user until ctx ends. If it has no topic, it makes the user
// online.
func (s *Service) attach(ctx context.Context, id messaging.UserID, t messaging.TopicID, agent string) error {
	session := s.NewID()
	s.hold(id, session, messaging.Session{Topic: t, Agent: agent})
	end := func(ctx context.Context) error {
		s.release(id, session)
		return s.alter(ctx, id, agent, func(open map[string]messaging.Session, _ time.Time) { delete(open, session) })
	}
	if err := s.alter(ctx, id, agent, func(map[string]messaging.Session, time.Time) {}); err != nil {
		s.release(id, session)
		return err
	}
	go func() {
		tick := time.NewTicker(checkEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = s.renew(ctx, id, agent) // retried at the next tick, before the lease expires
			case <-ctx.Done():
				_ = end(context.WithoutCancel(ctx))
				return
			}
		}
	}()
	return nil
}

// Expire deletes expired sessions, whose processes have died, and notifies others of users
// who are offline as a result.
func (s *Service) Expire(ctx context.Context) error {
	for shard := range s.Store.Shards() {
		for some, err := range page.All(page.Of(ctx, s.Store.All, shard)) {
			if err == nil && some.Ends(s.Now()) {
				err = s.alter(ctx, some.User, "", func(map[string]messaging.Session, time.Time) {})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Online reports for which topics any user other than the viewer is online.
func (s *Service) Online(ctx context.Context, v viewer.Viewer, topics []messaging.TopicID) (map[messaging.TopicID]bool, error) {
	of := map[messaging.TopicID][]messaging.UserID{}
	var all []messaging.UserID
	for _, t := range topics {
		switch t.Kind() {
		case messaging.P2P:
			of[t] = []messaging.UserID{t.Peer(v.UserID)}
		case messaging.Group:
			subs, err := s.Roster.Present(ctx, t)
			if err != nil {
				return nil, err
			}
			for _, sub := range subs {
				if sub.Counts() && sub.User != v.UserID {
					of[t] = append(of[t], sub.User)
				}
			}
		default:
			of[t] = []messaging.UserID{t.Owner()}
		}
		all = append(all, of[t]...)
	}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Presences: all})
	if err != nil {
		return nil, err
	}
	online := map[messaging.TopicID]bool{}
	for t, users := range of {
		for _, id := range users {
			online[t] = online[t] || facts.Presences[id].Online(s.Now())
		}
	}
	return online, nil
}
