// Package notify pushes messages to the devices of subscribers who are not attached to
// their topic.
package notify

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/kit/together"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// patience is how long after publication a failed push is retried.
const patience = 5 * time.Minute

// atOnce is the maximum number of concurrent pushes.
const atOnce = 16

// Store stores which devices received a push.
type Store interface {
	messaging.Reader
	// Pushed returns the keys of the devices to which a message was pushed.
	Pushed(ctx context.Context, m messaging.MessageRef) ([]string, error)
	// SetPushed stores those keys, or deletes them if devices is nil.
	SetPushed(ctx context.Context, m messaging.MessageRef, devices []string) error
}

// Accounts removes devices.
type Accounts interface {
	Unregister(ctx context.Context, id messaging.UserID, device string) (bool, error)
}

// Sender makes one attempt at a push. gone is true if the device will never be reachable
// again.
type Sender interface {
	Push(ctx context.Context, to messaging.Device, p messaging.Push) (gone bool, err error)
}

// Service implements the notify area. Its fields are set once.
type Service struct {
	Store    Store
	Accounts Accounts
	Roster   messaging.Roster
	Sender   Sender
	Now      func() time.Time
}

// sending is the cursor of the part that sends pushes, which takes time.
const sending = "send"

// Published pushes a message to the devices of those who may read it and are not attached
// to its topic, except the sender's. The publisher does not wait for it.
func (s *Service) Published(ctx context.Context, e messaging.Published, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if s.Sender == nil || s.Now().Sub(e.At) > patience {
		return "", 0, nil
	}
	facts, targets, err := s.targets(ctx, e, cursor != "")
	if err != nil || len(targets) == 0 {
		return "", 0, err
	}
	if cursor == "" {
		return sending, outbox.Later, nil
	}
	m := facts.Messages[e.Message]
	if !m.Exists(s.Now()) {
		return "", 0, nil
	}
	return "", 0, s.push(ctx, m, messaging.PushOf(m, facts.Topics[m.Topic], facts.Users[m.From]), targets)
}

// target is a device of a user.
type target struct {
	user messaging.UserID
	messaging.Device
}

// targets returns the devices that a message is pushed to, with the message if what is set.
func (s *Service) targets(ctx context.Context, e messaging.Published, what bool) (*messaging.Facts, []target, error) {
	t := e.Message.Topic
	var w messaging.Wanted
	if what {
		w = messaging.Wanted{Topics: []messaging.TopicID{t}, Messages: []messaging.MessageRef{e.Message}, Users: []messaging.UserID{e.From}}
	}
	if peer := t.Peer(e.From); peer != "" {
		w.Users, w.Presences = append(w.Users, peer), append(w.Presences, peer)
		w.Subscriptions = append(w.Subscriptions, messaging.SubscriptionRef{Topic: t, User: peer})
	}
	if t.Kind() == messaging.Group {
		subs, err := s.Roster.Present(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		for _, sub := range subs {
			if sub.May(messaging.Read) {
				w.Users, w.Presences, w.Subscriptions = append(w.Users, sub.User), append(w.Presences, sub.User), append(w.Subscriptions, sub.SubscriptionRef)
			}
		}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	var targets []target
	for _, ref := range w.Subscriptions {
		u := facts.Users[ref.User]
		if ref.User == e.From || !u.Active() || !facts.Subscriptions[ref].May(messaging.Read) || facts.Presences[ref.User].Attached(t, s.Now()) {
			continue
		}
		for _, d := range u.Devices {
			targets = append(targets, target{u.ID, d})
		}
	}
	return facts, targets, nil
}

// push pushes to those devices that have not received the message yet. If one fails, the
// others are stored, so that another attempt skips them.
func (s *Service) push(ctx context.Context, m *messaging.Message, p messaging.Push, targets []target) error {
	done, err := s.Store.Pushed(ctx, m.MessageRef)
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(targets, func(to target) bool { return slices.Contains(done, to.Key()) })
	errs := make([]error, len(left))
	err = together.Each(ctx, len(left), atOnce, func(_ context.Context, i int) error {
		errs[i] = together.Safely(func() error { return s.one(ctx, left[i], p) })
		return nil
	})
	before := len(done)
	for i, to := range left {
		if errs[i] == nil {
			done = append(done, to.Key())
		}
	}
	switch err := errors.Join(append(errs, err)...); {
	case err != nil && len(done) > before:
		return errors.Join(err, s.Store.SetPushed(ctx, m.MessageRef, done))
	case err == nil && before > 0:
		return s.Store.SetPushed(ctx, m.MessageRef, nil)
	default:
		return err
	}
}

func (s *Service) one(ctx context.Context, to target, p messaging.Push) error {
	gone, err := s.Sender.Push(ctx, to.Device, p)
	if gone {
		_, err = s.Accounts.Unregister(ctx, to.user, to.ID)
	}
	return err
}
