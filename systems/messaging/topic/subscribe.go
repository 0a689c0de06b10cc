package topic

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Subscribe makes the viewer a subscriber of a group. A former subscriber gets their modes
// back, unless they want others. If the group requires approval, it stores a request and
// returns ErrPending.
func (s *Service) Subscribe(ctx context.Context, v viewer.Viewer, name string, mode *string, note messaging.JSON) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		p, err := s.look(ctx, v, name, "")
		if err != nil {
			return nil, err
		}
		want, err := messaging.ModeOr(mode, messaging.GroupDefault)
		switch err := input.First(err, messaging.CheckPrivate(note)); {
		case err != nil:
			return nil, err
		case p.IsOwn():
			return nil, messaging.ErrOwnTopic
		case want.Has(messaging.Own) && !p.Mine.Active():
			return nil, messaging.ErrOwnerMode
		}
		before := p.Mine
		switch {
		case before == nil:
			p.Mine = messaging.NewSubscription(p.Topic.ID, v.UserID, want, p.Topic.Access.For(p.Viewer.Level()), s.Now())
		case !before.Active():
			p.Mine = before.Revived(s.later(before.UpdatedAt))
			if mode != nil && *mode != "" {
				p.Mine.Want = want
			}
		default:
			return answer(p)
		}
		if note != "" {
			p.Mine.Private = note
		}
		n := access(messaging.Subscribed, p.Mine)
		if !p.Mine.Given.Has(messaging.Join) {
			n.Kind, n.Sharers = messaging.AccessChanged, true
		}
		records := a.Emit(happened(n, v.UserID))
		if before == nil {
			err = s.Subscriptions.Add(ctx, p.Mine, messaging.Authority{}, records...)
		} else {
			err = s.Subscriptions.Change(ctx, before, p.Mine, messaging.Authority{}, records...)
		}
		if err != nil {
			return nil, err
		}
		count(p, before)
		return answer(p)
	})
}

// answer returns the viewer's subscription, or ErrPending.
func answer(p *messaging.Place) (*messaging.SeenSubscription, error) {
	if !p.Mine.Given.Has(messaging.Join) {
		return nil, messaging.ErrPending
	}
	return p.Seen().MySubscription(), nil
}

// count updates the number of subscribers according to the viewer's subscription.
func count(p *messaging.Place, before *messaging.Subscription) {
	switch {
	case !before.Counts() && p.Mine.Counts():
		p.SubCount++
	case before.Counts() && !p.Mine.Counts():
		p.SubCount--
	}
}

// Unsubscribe ends the viewer's subscription.
func (s *Service) Unsubscribe(ctx context.Context, v viewer.Viewer, name string) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		p, err := s.look(ctx, v, name, "")
		switch {
		case err != nil:
			return nil, err
		case p.IsOwn():
			return nil, messaging.ErrOwnTopic
		case !p.Mine.Active():
			return nil, messaging.ErrNotSubscriber
		case p.Owner == v.UserID:
			return nil, messaging.ErrMustTransfer
		}
		return s.part(ctx, a, p, p.Mine)
	})
}

// part ends a subscription and returns it as the viewer sees it.
func (s *Service) part(ctx context.Context, a *decision.Attempt, p *messaging.Place, sub *messaging.Subscription) (*messaging.SeenSubscription, error) {
	var err error
	if p.Kind() == messaging.P2P {
		sub, err = s.endPair(ctx, a, p.Topic, sub, false)
	} else {
		sub, err = s.end(ctx, a, p.Over(sub.User), sub)
	}
	if err != nil {
		return nil, err
	}
	return sub.SeenIn(p.Seen()), nil
}

// end ends a subscription to a group, and withdraws an offer of its ownership.
func (s *Service) end(ctx context.Context, a *decision.Attempt, by messaging.Authority, sub *messaging.Subscription) (*messaging.Subscription, error) {
	after := sub.With(sub.Want, sub.Given&^messaging.Own, sub.UpdatedAt).Ended(s.later(sub.UpdatedAt))
	return after, s.Subscriptions.Change(ctx, sub, after, by, a.Emit(unsubscribed(sub))...)
}

// unsubscribed returns the event for the end of a subscription.
func unsubscribed(sub *messaging.Subscription) messaging.Happened {
	return happened(messaging.News{Kind: messaging.Unsubscribed, Topic: sub.Topic, User: sub.User}, sub.User)
}

// endPair ends a subscription to a two-person topic, and the topic if the other subscription
// has ended as well, including its messages if hard is set or the other account was deleted
// hard: nobody could read them any more.
func (s *Service) endPair(
	ctx context.Context, a *decision.Attempt, before *messaging.Topic, sub *messaging.Subscription, hard bool,
) (*messaging.Subscription, error) {
	ref := messaging.SubscriptionRef{Topic: before.ID, User: before.ID.Peer(sub.User)}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Subscriptions: []messaging.SubscriptionRef{ref}, Users: []messaging.UserID{ref.User}})
	if err != nil {
		return nil, err
	}
	other := facts.Subscriptions[ref]
	after := sub.Ended(s.later(sub.UpdatedAt))
	t := *before
	events := []outbox.Event{unsubscribed(sub)}
	emptied := hard || facts.Users[ref.User] == nil
	if !other.Active() {
		t.UpdatedAt = s.later(t.UpdatedAt)
		t.DeletedAt = t.UpdatedAt
		if emptied {
			events = append(events, messaging.TopicEnded{Topic: t.ID, By: sub.User, At: t.DeletedAt, Hard: true, Upto: t.SeqID})
		}
	}
	return after, s.Subscriptions.EndPair(ctx, sub, after, other, &t, emptied, a.Emit(events...)...)
}

// RemoveSubscriber ends another user's subscription.
func (s *Service) RemoveSubscriber(ctx context.Context, v viewer.Viewer, name, user string) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		id, _ := messaging.ParseUser(user)
		p, err := s.look(ctx, v, name, id)
		if err != nil {
			return nil, err
		}
		if err := isGroup(p); err != nil {
			return nil, err
		}
		switch {
		case !p.Mine.Mode().IsAdmin():
			return nil, messaging.ErrNotAdmin
		case id == v.UserID:
			return nil, messaging.ErrRemovesSelf
		case id == p.Owner:
			return nil, messaging.ErrRemovesOwner
		case !p.Other.Active():
			return nil, messaging.ErrNoSubscription
		case p.Other.Refuses():
			return nil, messaging.ErrRefuses
		}
		return s.part(ctx, a, p, p.Other)
	})
}

// Delete deletes a group of the viewer, or ends their subscription to a two-person topic.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, name string, hard bool) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		p, err := s.look(ctx, v, name, "")
		switch {
		case err != nil:
			return err
		case p.Kind() == messaging.P2P:
			_, err := s.endPair(ctx, a, p.Topic, p.Mine, hard)
			return err
		}
		if err := input.First(isGroup(p), owned(p)); err != nil {
			return err
		}
		return s.endGroup(ctx, a, p.Topic, hard)
	})
}

// endGroup deletes a group at once. What belongs to it is removed when the event is
// received.
func (s *Service) endGroup(ctx context.Context, a *decision.Attempt, t *messaging.Topic, hard bool) error {
	after := *t
	after.UpdatedAt = s.later(t.UpdatedAt)
	after.DeletedAt, after.SubCount = after.UpdatedAt, 0
	return s.Store.End(ctx, t, &after, hard, a.Emit(
		messaging.Happened{News: messaging.News{Kind: messaging.TopicDeleted, Topic: t.ID, User: t.Owner}},
		messaging.TopicEnded{Topic: t.ID, By: t.Owner, At: after.DeletedAt, Hard: hard, Upto: t.SeqID})...)
}
