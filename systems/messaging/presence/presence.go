// Package presence tracks which users are online, and delivers events to live
// subscriptions.
//
// A live subscription is a session: a lease renewed by its process, so that it expires when
// the process dies. A user is online while they have a session that makes them so. The
// first and the last one are announced to the other users of their two-person topics.
package presence

import (
	"context"
	"hash/fnv"
	"maps"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

const (
	// lease is the lifetime of a live subscription that is not renewed. Its process renews
	// it three times as often.
	lease = 30 * time.Second
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
	Store         Store
	Subscriptions messaging.SubscriptionLister
	Bus           outbox.Bus
	// Events also provides the clock and ids.
	Events outbox.Sender

	// turns serialize changes of the same user's sessions. They are channels because
	// testing/synctest can wait for channels.
	turns [64]chan struct{}
}

// New returns the area.
func New(store Store, subscriptions messaging.SubscriptionLister, bus outbox.Bus, events outbox.Sender) *Service {
	s := &Service{Store: store, Subscriptions: subscriptions, Bus: bus, Events: events}
	for i := range s.turns {
		s.turns[i] = make(chan struct{}, 1)
	}
	return s
}

func (s *Service) now() time.Time { return s.Events.Now().Truncate(time.Millisecond) }

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
	if _, _, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{}); err != nil {
		return time.Time{}, err
	}
	name := ""
	if agent != nil {
		name = *agent
	}
	if err := messaging.CheckAgent(name); err != nil {
		return time.Time{}, err
	}
	return s.now(), s.alter(ctx, v.UserID, name, func(open map[string]messaging.Session, now time.Time) { change(open, now, name) })
}

// alter changes the sessions of a user, deletes expired ones, and notifies others if the
// user goes online or offline as a result.
func (s *Service) alter(ctx context.Context, id messaging.UserID, agent string, change func(open map[string]messaging.Session, now time.Time)) error {
	h := fnv.New32a()
	h.Write([]byte(id))
	turn := s.turns[h.Sum32()%uint32(len(s.turns))]
	turn <- struct{}{}
	defer func() { <-turn }()
	_, err := retry.OnConflictOr(messaging.ErrContested, func() (struct{}, error) {
		facts, err := s.Store.Facts(ctx, messaging.Wanted{Presences: []messaging.UserID{id}})
		if err != nil {
			return struct{}{}, err
		}
		now, before := s.now(), facts.Presences[id]
		after := &messaging.Sessions{User: id, Open: map[string]messaging.Session{}}
		if before != nil {
			after.Revision, after.AgentTold, after.AgentAt, after.Told = before.Revision+1, before.AgentTold, before.AgentAt, before.Told
			maps.Copy(after.Open, before.Open)
		}
		maps.DeleteFunc(after.Open, func(_ string, session messaging.Session) bool { return !now.Before(session.Until) })
		change(after.Open, now)
		events, left := s.turned(before, after, agent, now)
		records := s.Events.New(ctx, events...)
		if before == nil && len(after.Open) == 0 {
			return struct{}{}, nil
		}
		if len(after.Open) == 0 {
			after = nil
		}
		if err := s.Store.Swap(ctx, before, after, left, records...); err != nil {
			return struct{}{}, err
		}
		s.Events.Committed(ctx, records...)
		return struct{}{}, nil
	})
	return err
}

// turned returns the events for a change of sessions.
func (s *Service) turned(before, after *messaging.Sessions, agent string, now time.Time) (events []outbox.Event, left messaging.Left) {
	online := after.Online(now)
	switch {
	case online && !after.Told:
		after.Told, after.AgentTold = true, agent
		events = append(events, messaging.CameOrWent{User: after.User, Kind: messaging.Online, Agent: agent})
	case !online && after.Told:
		after.Told = false
		left = messaging.Left{At: now, Agent: agent}
		if left.Agent == "" {
			left.Agent = before.Agent()
		}
		events = append(events, messaging.CameOrWent{User: after.User, Kind: messaging.Offline, Agent: left.Agent})
	case online && agent != "" && agent != after.AgentTold && now.Sub(after.AgentAt) >= agentEvery:
		after.AgentTold, after.AgentAt = agent, now
		events = append(events, messaging.CameOrWent{User: after.User, Kind: messaging.AgentEvent, Agent: agent})
	}
	return events, left
}

// attach keeps a session of a user until ctx ends. If it has no topic, it makes the user
// online.
func (s *Service) attach(ctx context.Context, id messaging.UserID, t messaging.TopicID, agent string) error {
	session := s.Events.NewID()
	renew := func(ctx context.Context) error {
		return s.alter(ctx, id, agent, func(open map[string]messaging.Session, now time.Time) {
			open[session] = messaging.Session{Until: now.Add(lease), Topic: t, Agent: agent}
		})
	}
	if err := renew(ctx); err != nil {
		return err
	}
	go func() {
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = renew(ctx) // retried at the next tick, before the lease expires
			case <-ctx.Done():
				_ = s.alter(context.WithoutCancel(ctx), id, agent, func(open map[string]messaging.Session, _ time.Time) { delete(open, session) })
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
		for q := (page.Query{First: page.Max}); ; {
			p, err := s.Store.All(ctx, shard, q)
			if err != nil {
				return err
			}
			for _, some := range p.Items {
				if !some.Ends(s.now()) {
					continue
				}
				if err := s.alter(ctx, some.User, "", func(map[string]messaging.Session, time.Time) {}); err != nil {
					return err
				}
			}
			if q.After = p.Next; p.Next == "" {
				break
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
			p, err := s.Subscriptions.Of(ctx, t, page.Query{First: page.Max})
			if err != nil {
				return nil, err
			}
			for _, sub := range p.Items {
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
			online[t] = online[t] || facts.Presences[id].Online(s.now())
		}
	}
	return online, nil
}
