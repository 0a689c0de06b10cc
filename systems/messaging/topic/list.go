package topic

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Topic returns a topic, or nil if the viewer may not see it.
func (s *Service) Topic(ctx context.Context, v viewer.Viewer, name string) (*messaging.SeenTopic, error) {
	p, err := s.look(ctx, v, name, "")
	if errors.Is(err, messaging.ErrNoTopic) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.Seen(), nil
}

// Subscription returns a subscription, or nil if there is none that the viewer may see.
func (s *Service) Subscription(ctx context.Context, v viewer.Viewer, name string, user *string) (*messaging.SeenSubscription, error) {
	id := v.UserID
	if user != nil {
		id, _ = messaging.ParseUser(*user)
	}
	p, err := s.look(ctx, v, name, id)
	switch {
	case errors.Is(err, messaging.ErrNoTopic):
		return nil, nil
	case err != nil:
		return nil, err
	case id == v.UserID:
		p.Other = p.Mine
	case p.Reads() != nil || !p.Other.Active() || !messaging.CanSee(p.Mine, p.Other):
		return nil, nil
	}
	if p.Other == nil {
		return nil, nil
	}
	return p.Other.SeenIn(p.Seen()), nil
}

// Mine returns the viewer's subscriptions, last changed first.
func (s *Service) Mine(ctx context.Context, v viewer.Viewer, w messaging.TopicFilter, args page.Args) (page.Page[*messaging.SeenSubscription], error) {
	arguments := []string{w.Since.String(), "", ""}
	for _, kind := range w.Kinds {
		arguments[1] += string(kind) + " "
	}
	if w.Deleted {
		arguments[2] = "deleted"
	}
	list, err := page.ListOf(args, "messaging.myTopics", v.UserID, arguments...)
	if err != nil {
		return page.Page[*messaging.SeenSubscription]{}, err
	}
	return page.Fill(list, func(q page.Query) (page.Page[*messaging.Subscription], error) {
		return s.Subscriptions.By(ctx, v.UserID, w.Since, q, true)
	}, func(some []*messaging.Subscription) ([]*messaging.SeenSubscription, error) {
		some = slices.DeleteFunc(some, func(sub *messaging.Subscription) bool {
			kind := sub.Topic.Kind()
			return kind == messaging.Me || kind == messaging.Find || w.Kinds != nil && !slices.Contains(w.Kinds, kind)
		})
		seen, err := s.seen(ctx, v, some)
		return slices.DeleteFunc(seen, func(sub *messaging.SeenSubscription) bool { return !w.Deleted && sub.Deleted() }), err
	})
}

// seen reads the present state of subscriptions of the viewer from an index, with their
// topics. Those to deleted topics have ended.
func (s *Service) seen(ctx context.Context, v viewer.Viewer, some []*messaging.Subscription) (seen []*messaging.SeenSubscription, err error) {
	var w messaging.Wanted
	for _, sub := range some {
		w.Subscriptions, w.Topics = append(w.Subscriptions, sub.SubscriptionRef), append(w.Topics, sub.Topic)
		if peer := sub.Topic.Peer(v.UserID); peer != "" {
			w.Users, w.Presences = append(w.Users, peer), append(w.Presences, peer)
		}
	}
	facts, _, err := messaging.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	for _, sub := range some {
		now, t := facts.Subscriptions[sub.SubscriptionRef], facts.Topics[sub.Topic]
		if now == nil || t == nil {
			continue
		}
		if !t.Exists() && now.Active() {
			now = now.Ended(t.DeletedAt)
		}
		peer := facts.Users[t.ID.Peer(v.UserID)]
		in := t.SeenBy(v.UserID, now, peer)
		if peer != nil {
			in = in.With(peer.SeenBy(v.UserID, facts.Presences[peer.ID].Online(s.Now())))
		}
		seen = append(seen, now.SeenIn(in))
	}
	return seen, nil
}

// Of returns the subscribers of a topic, for the named operation or field.
func (s *Service) Of(
	ctx context.Context,
	v viewer.Viewer,
	operation, name string,
	since time.Time,
	args page.Args,
) (page.Page[*messaging.SeenSubscription], error) {
	none := page.Page[*messaging.SeenSubscription]{}
	p, err := s.look(ctx, v, name, "")
	if err != nil {
		return none, err
	}
	if err := p.Reads(); err != nil {
		return none, err
	}
	list, err := page.ListOf(args, "messaging."+operation, v.UserID, string(p.Topic.ID), since.String())
	if err != nil {
		return none, err
	}
	return page.Fill(list, func(q page.Query) (page.Page[*messaging.Subscription], error) {
		if p.IsOwn() {
			return page.Page[*messaging.Subscription]{Items: []*messaging.Subscription{p.Mine}}, nil
		}
		return s.Subscriptions.Of(ctx, p.Topic.ID, q)
	}, func(some []*messaging.Subscription) (shown []*messaging.SeenSubscription, err error) {
		seen := p.Seen()
		for _, sub := range some {
			if sub.Active() && sub.UpdatedAt.After(since) && messaging.CanSee(p.Mine, sub) {
				shown = append(shown, sub.SeenIn(seen))
			}
		}
		return shown, nil
	})
}

// Readers returns all subscribers of topics, by topic.
func (s *Service) Readers(ctx context.Context, topics []messaging.TopicID) (map[messaging.TopicID]messaging.Readers, error) {
	readers := map[messaging.TopicID]messaging.Readers{}
	for _, t := range topics {
		for sub, err := range page.All(s.of(ctx, t)) {
			if err != nil {
				return nil, err
			}
			readers[t] = append(readers[t], sub)
		}
	}
	return readers, nil
}

// of lists the subscriptions to a topic.
func (s *Service) of(ctx context.Context, t messaging.TopicID) func(page.Query) (page.Page[*messaging.Subscription], error) {
	return page.Of(ctx, s.Subscriptions.Of, t)
}

// Unread returns the number of unread messages in all topics of the viewer, up to
// MaxUnread.
func (s *Service) Unread(ctx context.Context, v viewer.Viewer) (int, error) {
	sum := 0
	list := func(q page.Query) (page.Page[*messaging.Subscription], error) {
		return s.Subscriptions.By(ctx, v.UserID, time.Time{}, q, true)
	}
	for p, err := range page.Pages(page.NoLimit, list) {
		if err != nil {
			return 0, err
		}
		seen, err := s.seen(ctx, v, p.Items)
		if err != nil {
			return 0, err
		}
		for _, sub := range seen {
			if sub.MayRead() {
				sum = min(sum+sub.Unread(), messaging.MaxUnread)
			}
		}
		if sum == messaging.MaxUnread {
			break
		}
	}
	return sum, nil
}
