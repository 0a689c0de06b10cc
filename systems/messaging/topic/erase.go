package topic

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// ErasePairs deletes the two-person topics of an erased user for both users, some messages at a
// time: their ids have that of the user, and everything in them is from them or to them.
func (s *Service) ErasePairs(ctx context.Context, e messaging.AccountEnded, _ string, tell outbox.Tell) (next string, rows int, err error) {
	list := func(q page.Query) (page.Page[*messaging.Subscription], error) {
		return s.Subscriptions.By(ctx, e.User, time.Time{}, q, false)
	}
	for sub, err := range page.All(list) {
		if err != nil {
			return "", 0, err
		}
		if sub.Topic.Kind() != messaging.P2P {
			continue
		}
		rows, err := s.erasePair(ctx, sub.Topic, e.User, tell)
		return "more", rows, err
	}
	return "", 0, nil
}

// erasePair deletes some messages of a two-person topic, or, once there are none, the topic.
func (s *Service) erasePair(ctx context.Context, t messaging.TopicID, id messaging.UserID, tell outbox.Tell) (rows int, err error) {
	p, err := s.Messages.List(ctx, t, messaging.Span{}, page.Query{First: cleaned}, false)
	if err != nil {
		return 0, err
	}
	if len(p.Items) == 0 {
		p, err = s.Messages.List(ctx, t.Held(), messaging.Span{}, page.Query{First: cleaned}, false)
		if err != nil {
			return 0, err
		}
	}
	if len(p.Items) == 0 {
		tell(messaging.ForAccount{News: messaging.News{Kind: messaging.TopicDeleted, Topic: t, User: id}, Account: t.Peer(id)})
		return 3, s.Subscriptions.RemovePair(ctx, t)
	}
	refs := slice.Map(p.Items, func(m *messaging.Message) messaging.MessageRef { return m.MessageRef })
	return len(refs), s.Messages.Remove(ctx, refs)
}
