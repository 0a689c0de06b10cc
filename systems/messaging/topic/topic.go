// Package topic manages topics: their subscribers, the permissions of each, and ownership.
//
// A subscription has two modes, the one that the user wants and the one that they were
// given; their intersection is effective. It is kept after it has ended, with the user's
// receipts.
package topic

import (
	"context"
	"io"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Store stores topics. Changes fail with a conflict if something has changed since it was
// read.
type Store interface {
	messaging.Reader
	Create(ctx context.Context, t *messaging.Topic, first []*messaging.Subscription, events ...outbox.Record) error
	Describe(ctx context.Context, before, after *messaging.Topic, events ...outbox.Record) error
	Revive(ctx context.Context, t *messaging.Topic, before, after []*messaging.Subscription, events ...outbox.Record) error
	End(ctx context.Context, before, after *messaging.Topic, hard bool, events ...outbox.Record) error
	// Transfer also withdraws offers to others. Withdraw withdraws some of them before.
	Transfer(ctx context.Context, t *messaging.Topic, from, to messaging.SubscriptionChange, offers []messaging.SubscriptionChange, events ...outbox.Record) error
	Withdraw(ctx context.Context, t *messaging.Topic, to *messaging.Subscription, offers []messaging.SubscriptionChange, events ...outbox.Record) error
}

// Subscriptions stores subscriptions. Changes fail with a conflict if something has changed
// since it was read.
type Subscriptions interface {
	messaging.SubscriptionLister
	// Add and Change fail with ErrTopicFull.
	Add(ctx context.Context, sub *messaging.Subscription, by messaging.Authority, events ...outbox.Record) error
	Change(ctx context.Context, before, after *messaging.Subscription, by messaging.Authority, events ...outbox.Record) error
	Note(ctx context.Context, sub *messaging.Subscription) error
	// EndPair also ends the topic if other has ended, with its messages if emptied is set.
	EndPair(ctx context.Context, before, after, other *messaging.Subscription, t *messaging.Topic, emptied bool, events ...outbox.Record) error
	// EmptyPair hides all messages of a deleted two-person topic, which are to be removed.
	EmptyPair(ctx context.Context, t *messaging.Topic, events ...outbox.Record) error
	Close(ctx context.Context, sub *messaging.Subscription, at time.Time) error
	Remove(ctx context.Context, refs []messaging.SubscriptionRef) error
	// RemovePair deletes a two-person topic without messages, with both subscriptions.
	RemovePair(ctx context.Context, t messaging.TopicID) error
}

// Messages deletes messages.
type Messages interface {
	List(ctx context.Context, t messaging.TopicID, in messaging.Span, q page.Query, newestFirst bool) (page.Page[*messaging.Message], error)
	Remove(ctx context.Context, refs []messaging.MessageRef) error
}

// Accounts deletes accounts.
type Accounts interface {
	Forget(ctx context.Context, id messaging.UserID, events ...outbox.Record) error
}

// Service implements the topic area. Its fields are set once.
type Service struct {
	decision.Frame
	Store         Store
	Subscriptions Subscriptions
	Messages      Messages
	Accounts      Accounts
	// Random is the source of group names.
	Random io.Reader
}

// later returns the time of a change, which is later than the previous one, so that lists
// of recent changes include it.
func (s *Service) later(than time.Time) time.Time {
	now := s.Now()
	if after := than.Add(time.Millisecond); now.Before(after) {
		return after
	}
	return now
}

func (s *Service) look(ctx context.Context, v viewer.Viewer, name string, member messaging.UserID) (*messaging.Place, error) {
	return messaging.Look(ctx, s.Store, v.UserID, name, member, messaging.Wanted{})
}

// happened returns the event for news of a topic, which are also sent to accounts.
func happened(n messaging.News, accounts ...messaging.UserID) messaging.Happened {
	return messaging.Happened{News: n, Accounts: accounts}
}

// access returns news of a subscriber's permissions.
func access(kind messaging.TopicEventKind, sub *messaging.Subscription) messaging.News {
	return messaging.News{Kind: kind, Topic: sub.Topic, User: sub.User, Access: &[2]int{int(sub.Want), int(sub.Given)}}
}

// Update changes the description of a group.
func (s *Service) Update(ctx context.Context, v viewer.Viewer, name string, c messaging.TopicChange) (*messaging.SeenTopic, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenTopic, error) {
		p, err := s.look(ctx, v, name, "")
		if err != nil {
			return nil, err
		}
		if err := input.First(isGroup(p), owned(p)); err != nil {
			return nil, err
		}
		after := *p.Topic
		after.UpdatedAt = s.later(p.Topic.UpdatedAt)
		if c.Public.Given {
			after.Public = optional.Or(c.Public.Value, "")
		}
		if after.Access, err = c.Access.On(p.Access); err != nil {
			return nil, err
		}
		if err := messaging.CheckPublic(after.Public); err != nil {
			return nil, err
		}
		described := happened(messaging.News{Kind: messaging.DescriptionChanged, Topic: after.ID, User: v.UserID})
		return after.SeenBy(v.UserID, p.Mine, nil), s.Store.Describe(ctx, p.Topic, &after, a.Emit(described)...)
	})
}

// isGroup refuses topics that are not groups.
func isGroup(p *messaging.Place) error {
	switch p.Kind() {
	case messaging.Group:
		return nil
	case messaging.P2P:
		return messaging.ErrPairTopic
	}
	return messaging.ErrOwnTopic
}

// owned refuses viewers who do not own the group.
func owned(p *messaging.Place) error {
	if p.Owner != p.Viewer.ID {
		return messaging.ErrNotOwner
	}
	return nil
}

// SetPrivate stores the viewer's private note on a topic.
func (s *Service) SetPrivate(ctx context.Context, v viewer.Viewer, name string, note messaging.JSON) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.SeenSubscription, error) {
		p, err := s.member(ctx, v, name, "")
		if err := input.First(err, messaging.CheckPrivate(note)); err != nil {
			return nil, err
		}
		p.Mine = p.Mine.Noting(note, s.later(p.Mine.UpdatedAt))
		return p.Seen().MySubscription(), s.Subscriptions.Note(ctx, p.Mine)
	})
}

// member reads a topic for a viewer with a subscription, or returns an error.
func (s *Service) member(ctx context.Context, v viewer.Viewer, name string, other messaging.UserID) (*messaging.Place, error) {
	p, err := s.look(ctx, v, name, other)
	switch {
	case err != nil:
		return nil, err
	case !p.Mine.Active():
		return nil, messaging.ErrNotSubscriber
	}
	return p, nil
}
