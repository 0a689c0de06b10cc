package store

import (
	"context"

	"stoa/internal/kit/cache"
	"stoa/internal/kit/page"
	"stoa/systems/messaging"
)

// Limits of the lists kept in memory: the number of topics and of all their subscriptions.
const (
	maxCachedTopics        = 512
	maxCachedSubscriptions = 100_000
)

// Roster lists the present subscribers of topics. As ended subscriptions are kept, a topic
// may have many more of them than subscribers, so the list is read only once per revision
// of the topic.
type Roster struct {
	*SubscriptionStore
	known *cache.Cache[messaging.TopicID, roster]
}

// roster is the list of a revision of a topic.
type roster struct {
	revision, count int
	subs            []*messaging.Subscription
}

func newRoster(s *SubscriptionStore) *Roster {
	return &Roster{s, cache.New[messaging.TopicID, roster](maxCachedTopics, maxCachedSubscriptions)}
}

// Present returns the subscriptions to a topic that have not ended, with their modes only,
// in no particular order. The caller must not change them.
func (r *Roster) Present(ctx context.Context, id messaging.TopicID) ([]*messaging.Subscription, error) {
	facts, err := r.Facts(ctx, messaging.Wanted{Topics: []messaging.TopicID{id}})
	if err != nil {
		return nil, err
	}
	t := facts.Topics[id]
	if !t.Exists() {
		return nil, nil
	}
	if known, ok := r.known.Get(id); ok && known.revision == t.Revision && known.count == t.SubCount {
		return known.subs, nil
	}
	subs, err := r.read(ctx, id)
	if err != nil {
		return nil, err
	}
	count := 0
	for _, sub := range subs {
		if sub.Counts() {
			count++
		}
	}
	// The index may lack the newest subscriber, who is then not remembered as missing.
	if count == t.SubCount {
		r.known.Add(id, roster{t.Revision, count, subs}, len(subs))
	}
	return subs, nil
}

// read reads the subscriptions to a topic by their index, and the present state of those
// that have not ended by their keys.
func (r *Roster) read(ctx context.Context, id messaging.TopicID) (subs []*messaging.Subscription, err error) {
	var w messaging.Wanted
	for sub, err := range page.All(page.Of(ctx, r.Of, id)) {
		if err != nil {
			return nil, err
		}
		if sub.Active() {
			w.Subscriptions = append(w.Subscriptions, sub.SubscriptionRef)
		}
	}
	facts, err := r.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	for _, ref := range w.Subscriptions {
		if now := facts.Subscriptions[ref]; now.Active() {
			subs = append(subs, &messaging.Subscription{SubscriptionRef: ref, Want: now.Want, Given: now.Given})
		}
	}
	return subs, nil
}
