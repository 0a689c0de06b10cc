package topic

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// SetMyAccess changes the permissions that the viewer wants.
func (s *Service) SetMyAccess(ctx context.Context, v viewer.Viewer, name, want string) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		p, err := s.member(ctx, v, name, "")
		switch {
		case err != nil:
			return nil, err
		case p.IsOwn():
			return nil, messaging.ErrOwnTopic
		}
		fallback := messaging.GroupDefault
		if p.Kind() == messaging.P2P {
			fallback = messaging.PairMode
		} else if p.Owner == v.UserID {
			fallback = messaging.OwnerMode
		}
		mode, err := messaging.ModeOr(&want, fallback)
		if err != nil {
			return nil, err
		}
		given := p.Mine.Given
		switch owner := p.Owner == v.UserID; {
		case p.Kind() == messaging.P2P:
			mode = mode.InPair()
		case owner && !mode.Has(messaging.Own|messaging.Join):
			return nil, messaging.ErrOwnerMode
		case owner:
		case mode.Has(messaging.Own) && !given.Has(messaging.Own):
			return nil, messaging.ErrOwnerMode
		case mode.Has(messaging.Own):
			return s.accept(ctx, a, p, mode)
		}
		return s.change(ctx, a, p, p.Mine, mode, given|mode&p.Widening())
	})
}

// change changes the modes of a subscription and notifies its user.
func (s *Service) change(
	ctx context.Context, a *decision.Attempt, p *messaging.Place, sub *messaging.Subscription, want, given messaging.Mode,
) (*messaging.SeenSubscription, error) {
	if sub.Want == want && sub.Given == given {
		return s.shown(p, sub), nil
	}
	after := sub.With(want, given, s.later(sub.UpdatedAt))
	records := a.Emit(happened(access(messaging.AccessChanged, after), after.User))
	if err := s.Subscriptions.Change(ctx, sub, after, p.Over(sub.User), records...); err != nil {
		return nil, err
	}
	return s.shown(p, after), nil
}

// shown returns a subscription as the viewer sees it, in its new state if it is their own.
func (s *Service) shown(p *messaging.Place, sub *messaging.Subscription) *messaging.SeenSubscription {
	if sub.User == p.Viewer.ID {
		before := p.Mine
		p.Mine = sub
		count(p, before)
	}
	return sub.SeenIn(p.Seen())
}

// SetAccess invites a user, or changes the permissions given to a subscriber.
func (s *Service) SetAccess(ctx context.Context, v viewer.Viewer, name, user string, text *string) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		id, _ := messaging.ParseUser(user)
		p, err := s.look(ctx, v, name, id)
		if err != nil {
			return nil, err
		}
		if id == v.UserID {
			p.Other, p.Target = p.Mine, p.Viewer.User
		}
		explicit := text != nil && *text != ""
		mode := p.Topic.Access.For(messaging.Auth)
		if p.Target != nil {
			mode = p.Topic.Access.For(p.Target.Level())
		}
		if explicit {
			if mode, err = messaging.ParseMode(*text); err != nil {
				return nil, err
			}
		}
		if p.Kind() == messaging.P2P {
			mode = mode.InPair()
		}
		if err := s.mayGive(p, id, mode, explicit); err != nil {
			return nil, err
		}
		switch sub := p.Other; {
		case sub == nil:
			return s.invite(ctx, a, p, mode)
		case !sub.Active() && p.Kind() == messaging.Group:
			given := sub.Given
			if explicit {
				given = mode
			}
			return s.bringBack(ctx, a, p, given)
		case explicit, p.Mine.Mode().IsAdmin() && !sub.Given.Has(messaging.Join) && mode.Has(messaging.Join):
			return s.change(ctx, a, p, sub, sub.Want, mode)
		default:
			return s.shown(p, sub), nil
		}
	})
}

// mayGive refuses permissions that the viewer may not give to a user.
func (s *Service) mayGive(p *messaging.Place, id messaging.UserID, mode messaging.Mode, explicit bool) error {
	mine := p.Mine.Mode()
	switch {
	case p.IsOwn():
		return messaging.ErrOwnTopic
	case !mine.IsSharer():
		return messaging.ErrNotSharer
	case explicit && !mine.IsAdmin():
		return messaging.ErrNotAdmin
	case p.Kind() == messaging.P2P && p.Other == nil:
		return messaging.ErrPairTopic
	case p.Target == nil, !p.Other.Active() && !p.Target.Active():
		return messaging.ErrNoUser
	case explicit && mode.Has(messaging.Own) && p.Owner != p.Viewer.ID:
		return messaging.ErrNotOwner
	case id == p.Viewer.ID && mode&^p.Mine.Given&^p.Widening() != messaging.Nothing:
		return messaging.ErrNotGiven
	case explicit && id == p.Owner && mode != p.Other.Given:
		return messaging.ErrRemovesOwner
	case p.Other.Refuses():
		return messaging.ErrRefuses
	}
	return nil
}

// invite adds a subscription of a user who has none.
func (s *Service) invite(ctx context.Context, a *decision.Attempt, p *messaging.Place, given messaging.Mode) (*messaging.SeenSubscription, error) {
	sub := messaging.NewSubscription(p.Topic.ID, p.Target.ID, p.Target.Access.For(messaging.Auth), given, s.Now())
	records := a.Emit(happened(access(messaging.Subscribed, sub), sub.User))
	return s.shown(p, sub), s.Subscriptions.Add(ctx, sub, p.Over(sub.User), records...)
}

// bringBack restores a subscription that has ended.
func (s *Service) bringBack(ctx context.Context, a *decision.Attempt, p *messaging.Place, given messaging.Mode) (*messaging.SeenSubscription, error) {
	before := p.Other
	after := before.Revived(s.later(before.UpdatedAt)).With(before.Want, given, s.later(before.UpdatedAt))
	records := a.Emit(happened(access(messaging.Subscribed, after), after.User))
	if err := s.Subscriptions.Change(ctx, before, after, p.Over(before.User), records...); err != nil {
		return nil, err
	}
	return s.shown(p, after), nil
}

// Offer offers the ownership of a group to a subscriber.
func (s *Service) Offer(ctx context.Context, v viewer.Viewer, name, user string) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		id, _ := messaging.ParseUser(user)
		p, err := s.look(ctx, v, name, id)
		if err != nil {
			return nil, err
		}
		if err := input.First(isGroup(p), owned(p)); err != nil {
			return nil, err
		}
		switch {
		case id == v.UserID:
			return nil, messaging.ErrSelfOffer
		case !p.Other.Active() || !p.Target.Active():
			return nil, messaging.ErrNoSubscription
		case p.Other.Refuses():
			return nil, messaging.ErrRefuses
		}
		return s.change(ctx, a, p, p.Other, p.Other.Want, p.Other.Given|messaging.Own|messaging.Join)
	})
}

// Accept makes the viewer the owner of a group that was offered to them.
func (s *Service) Accept(ctx context.Context, v viewer.Viewer, name string) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		p, err := s.member(ctx, v, name, "")
		if err != nil {
			return nil, err
		}
		if err := isGroup(p); err != nil {
			return nil, err
		}
		if p.Owner == v.UserID {
			return p.Seen().MySubscription(), nil
		}
		return s.accept(ctx, a, p, p.Mine.Want)
	})
}

// accept transfers a group. Offers to others are withdrawn, as the new owner has not made
// them.
func (s *Service) accept(ctx context.Context, a *decision.Attempt, p *messaging.Place, want messaging.Mode) (*messaging.SeenSubscription, error) {
	if !p.Mine.Given.Has(messaging.Own | messaging.Join) {
		return nil, messaging.ErrNoOffer
	}
	ref := messaging.SubscriptionRef{Topic: p.Topic.ID, User: p.Owner}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Subscriptions: []messaging.SubscriptionRef{ref}})
	if err != nil {
		return nil, err
	}
	offers, err := s.offers(ctx, p)
	if err != nil {
		return nil, err
	}
	// Offers that do not fit the transaction are withdrawn before it: after it, somebody might
	// accept one.
	for ; len(offers) > messaging.WithdrawnTogether; offers = offers[messaging.WithdrawnTogether:] {
		err := decision.DoOnce(decision.Preparing(ctx), s.Frame, func(a *decision.Attempt) error {
			some := offers[:messaging.WithdrawnTogether]
			return s.Store.Withdraw(ctx, p.Topic, p.Mine, some, a.Emit(changed(some...)...)...)
		})
		if err != nil {
			return nil, err
		}
	}
	before, owner := p.Mine, facts.Subscriptions[ref]
	p.Mine = before.With(want|messaging.Own|messaging.Join, before.Given, s.later(before.UpdatedAt))
	to := messaging.SubscriptionChange{Before: before, After: p.Mine}
	from := s.without(owner, owner.Want&^messaging.Own)
	records := a.Emit(changed(append([]messaging.SubscriptionChange{to, from}, offers...)...)...)
	if err := s.Store.Transfer(ctx, p.Topic, from, to, offers, records...); err != nil {
		return nil, err
	}
	p.Owner = p.Viewer.ID
	count(p, before)
	return p.Seen().MySubscription(), nil
}

// offers returns the withdrawals of the offers of a group to others than the viewer.
func (s *Service) offers(ctx context.Context, p *messaging.Place) (offers []messaging.SubscriptionChange, err error) {
	for sub, err := range page.All(s.of(ctx, p.Topic.ID)) {
		if err != nil {
			return nil, err
		}
		if sub.Given.Has(messaging.Own) && sub.User != p.Owner && sub.User != p.Viewer.ID {
			offers = append(offers, s.without(sub, sub.Want))
		}
	}
	return offers, nil
}

// without returns the change of a subscription that is no longer given O.
func (s *Service) without(sub *messaging.Subscription, want messaging.Mode) messaging.SubscriptionChange {
	return messaging.SubscriptionChange{Before: sub, After: sub.With(want, sub.Given&^messaging.Own, s.later(sub.UpdatedAt))}
}

// changed returns the events of changes of access.
func changed(all ...messaging.SubscriptionChange) []outbox.Event {
	return slice.Map(all, func(c messaging.SubscriptionChange) outbox.Event {
		return happened(access(messaging.AccessChanged, c.After), c.After.User)
	})
}
