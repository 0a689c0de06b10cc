package topic

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// CreateGroup creates a group owned by the viewer.
func (s *Service) CreateGroup(ctx context.Context, v viewer.Viewer, plan messaging.GroupPlan) (*messaging.SeenTopic, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenTopic, error) {
		self, err := messaging.Admit(ctx, s.Store, v.UserID)
		if err != nil {
			return nil, err
		}
		defaults, err := plan.Access.On(messaging.Access{Auth: messaging.GroupDefault})
		if err != nil {
			return nil, err
		}
		want, err := messaging.ModeOr(plan.Mode, messaging.OwnerMode)
		if err := input.First(err, messaging.CheckPublic(plan.Public), messaging.CheckPrivate(plan.Private)); err != nil {
			return nil, err
		}
		name, err := messaging.NewID(s.Random)
		if err != nil {
			return nil, err
		}
		now := s.Now()
		t := &messaging.Topic{ID: messaging.NewGroup(name), CreatedAt: now, UpdatedAt: now, Access: defaults, Public: plan.Public, Owner: self.ID, SubCount: 1}
		mine := messaging.NewSubscription(t.ID, self.ID, want|messaging.Own|messaging.Join, messaging.OwnerMode, now)
		mine.Private = plan.Private
		records := a.Emit(happened(access(messaging.Subscribed, mine), self.ID))
		return t.SeenBy(self.ID, mine, nil), s.Store.Create(ctx, t, []*messaging.Subscription{mine}, records...)
	})
}

// StartChat creates the topic of the viewer and another user, or restores it.
func (s *Service) StartChat(ctx context.Context, v viewer.Viewer, with string, plan messaging.ChatPlan) (*messaging.SeenTopic, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenTopic, error) {
		peer, ok := messaging.ParseUser(with)
		w := messaging.Wanted{}
		var t messaging.TopicID
		var mine, theirs messaging.SubscriptionRef
		if ok && messaging.HasAccount(v.UserID) {
			t = messaging.PairTopic(v.UserID, peer)
			mine, theirs = messaging.SubscriptionRef{Topic: t, User: v.UserID}, messaging.SubscriptionRef{Topic: t, User: peer}
			w = messaging.Wanted{Users: []messaging.UserID{peer}, Topics: []messaging.TopicID{t}, Subscriptions: []messaging.SubscriptionRef{mine, theirs}}
		}
		facts, self, err := messaging.Ask(ctx, s.Store, v.UserID, w)
		switch {
		case err != nil:
			return nil, err
		case peer == self.ID:
			return nil, messaging.ErrSelfChat
		case !facts.Users[peer].Active():
			return nil, messaging.ErrNoUser
		}
		p := pair{facts.Topics[t], facts.Subscriptions[mine], facts.Subscriptions[theirs], self, facts.Users[peer]}
		switch {
		case p.Topic == nil:
			return s.begin(ctx, a, t, p, plan)
		case !p.Exists():
			return s.revive(ctx, a, p)
		case !p.mine.Active():
			after := p.mine.Revived(s.later(p.mine.UpdatedAt))
			records := a.Emit(happened(access(messaging.Subscribed, after), self.ID))
			if err := s.Subscriptions.Change(ctx, p.mine, after, messaging.Authority{}, records...); err != nil {
				return nil, err
			}
			if p.mine = after; after.Counts() {
				p.SubCount++
			}
		}
		return p.Topic.SeenBy(self.ID, p.mine, p.peer), nil
	})
}

// pair is a two-person topic with its users.
type pair struct {
	*messaging.Topic
	mine, theirs *messaging.Subscription
	self         messaging.Viewer
	peer         *messaging.User
}

// begin creates a two-person topic.
func (s *Service) begin(ctx context.Context, a *decision.Attempt, t messaging.TopicID, p pair, plan messaging.ChatPlan) (*messaging.SeenTopic, error) {
	want, err := messaging.ModeOr(plan.Mode, messaging.PairMode)
	if err != nil {
		return nil, err
	}
	given, err := messaging.ModeOr(plan.PeerMode, p.self.Access.Auth)
	if err := input.First(err, messaging.CheckPrivate(plan.Private)); err != nil {
		return nil, err
	}
	now := s.Now()
	mine := messaging.NewSubscription(t, p.self.ID, want.InPair(), p.peer.Access.For(p.self.Level()).InPair(), now)
	mine.Private = plan.Private
	theirs := messaging.NewSubscription(t, p.peer.ID, messaging.PairMode, given.InPair(), now)
	made := &messaging.Topic{ID: t, CreatedAt: now, UpdatedAt: now, Access: messaging.Access{Auth: messaging.PairMode}}
	for _, sub := range []*messaging.Subscription{mine, theirs} {
		if sub.Counts() {
			made.SubCount++
		}
	}
	records := a.Emit(happened(access(messaging.Subscribed, mine), p.self.ID, p.peer.ID))
	return made.SeenBy(p.self.ID, mine, p.peer), s.Store.Create(ctx, made, []*messaging.Subscription{mine, theirs}, records...)
}

// revive restores a two-person topic that both users had left, with its numbering.
func (s *Service) revive(ctx context.Context, a *decision.Attempt, p pair) (*messaging.SeenTopic, error) {
	now := s.later(p.Topic.UpdatedAt)
	t := *p.Topic
	t.DeletedAt, t.UpdatedAt, t.SubCount = time.Time{}, now, 0
	before := []*messaging.Subscription{p.mine, p.theirs}
	after := []*messaging.Subscription{p.mine.Revived(s.later(p.mine.UpdatedAt)), p.theirs.Revived(s.later(p.theirs.UpdatedAt))}
	for _, sub := range after {
		if sub.Counts() {
			t.SubCount++
		}
	}
	records := a.Emit(happened(access(messaging.Subscribed, after[0]), p.self.ID, p.peer.ID))
	return t.SeenBy(p.self.ID, after[0], p.peer), s.Store.Revive(ctx, &t, before, after, records...)
}
