package topic

import (
	"context"
	"strings"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// cleaned is the number of rows removed at a time.
const cleaned = 25

// Steps of the removal of a topic, in order. Cursors start with them.
const (
	closing  = "close/"
	removing = "remove/"
	emptying = "empty/"
)

// TopicEnded ends the subscriptions to a deleted topic, some at a time. After a hard
// deletion it then deletes them and the messages. It can be repeated.
func (s *Service) TopicEnded(ctx context.Context, e messaging.TopicEnded, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	step, after, _ := strings.Cut(cursor, "/")
	isGroup := e.Topic.Kind() == messaging.Group
	switch {
	case cursor == "" && !isGroup, step+"/" == emptying:
		return s.empty(ctx, e)
	case cursor == "", step+"/" == closing:
		next, rows, err = s.closeAll(ctx, e, after, tell)
		return behind(closing, next, then(e.Hard, removing)), rows, err
	default:
		next, rows, err = s.removeAll(ctx, e.Topic, after)
		return behind(removing, next, emptying), rows, err
	}
}

// behind returns the cursor after a chunk of a step: that of the next chunk, or of the next
// step.
func behind(step, next, then string) string {
	if next == "" {
		return then
	}
	return step + next
}

func then(yes bool, step string) string {
	if yes {
		return step
	}
	return ""
}

// closeAll ends subscriptions and notifies their users.
func (s *Service) closeAll(ctx context.Context, e messaging.TopicEnded, cursor string, tell outbox.Tell) (string, int, error) {
	p, err := s.Subscriptions.Of(ctx, e.Topic, page.Query{First: cleaned, After: cursor})
	return page.Chunk(p, err, func(sub *messaging.Subscription) error { return s.close(ctx, sub, e, tell) })
}

func (s *Service) close(ctx context.Context, sub *messaging.Subscription, e messaging.TopicEnded, tell outbox.Tell) error {
	return decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		now, err := s.present(ctx, sub)
		if err != nil || !now.Active() {
			return err
		}
		if err := s.Subscriptions.Close(ctx, now, s.later(now.UpdatedAt)); err != nil {
			return err
		}
		tell(messaging.ForAccount{News: messaging.News{Kind: messaging.TopicDeleted, Topic: e.Topic, User: e.By}, Account: sub.User})
		return nil
	})
}

// present reads the present state of a subscription.
func (s *Service) present(ctx context.Context, sub *messaging.Subscription) (*messaging.Subscription, error) {
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Subscriptions: []messaging.SubscriptionRef{sub.SubscriptionRef}})
	return facts.Subscriptions[sub.SubscriptionRef], err
}

// removeAll deletes subscriptions.
func (s *Service) removeAll(ctx context.Context, t messaging.TopicID, cursor string) (string, int, error) {
	p, err := s.Subscriptions.Of(ctx, t, page.Query{First: cleaned, After: cursor})
	if err != nil {
		return "", 0, err
	}
	refs := slice.Map(p.Items, func(sub *messaging.Subscription) messaging.SubscriptionRef { return sub.SubscriptionRef })
	return p.Next, len(refs), s.Subscriptions.Remove(ctx, refs)
}

// empty deletes messages. A group has no later ones than those it took until it was deleted,
// some perhaps after the event was made; a two-person topic may have been restored since.
func (s *Service) empty(ctx context.Context, e messaging.TopicEnded) (next string, rows int, err error) {
	var in messaging.Span
	if e.Topic.Kind() == messaging.P2P {
		in.Before = e.Upto + 1
	}
	p, err := s.Messages.List(ctx, e.Topic, in, page.Query{First: cleaned}, false)
	if err != nil || len(p.Items) == 0 {
		return s.emptyHeld(ctx, e, err)
	}
	refs := slice.Map(p.Items, func(m *messaging.Message) messaging.MessageRef { return m.MessageRef })
	return then(p.Next != "" || e.Topic.Held() != e.Topic, emptying), len(refs), s.Messages.Remove(ctx, refs)
}

// emptyHeld deletes the messages that were held in a two-person topic, which has no others. They are few.
func (s *Service) emptyHeld(ctx context.Context, e messaging.TopicEnded, err error) (next string, rows int, _ error) {
	if err != nil || e.Topic.Held() == e.Topic {
		return "", 0, err
	}
	p, err := s.Messages.List(ctx, e.Topic.Held(), messaging.Span{}, page.Query{First: page.Max}, false)
	if err != nil {
		return "", 0, err
	}
	var refs []messaging.MessageRef
	for _, m := range p.Items {
		if !m.CreatedAt.After(e.At) && len(refs) < cleaned {
			refs = append(refs, m.MessageRef)
		}
	}
	if len(refs) == 0 {
		return "", 0, nil
	}
	return emptying, len(refs), s.Messages.Remove(ctx, refs)
}

// AccountEnded deletes the groups and ends the subscriptions of a deleted user, some at a
// time. A hard deletion first deletes the account, by which the other users of two-person
// topics know that nobody comes back to them, and then the subscriptions, too. It can be
// repeated.
func (s *Service) AccountEnded(ctx context.Context, e messaging.AccountEnded, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.Hard && cursor == "" {
		if err := s.Accounts.Forget(ctx, e.User); err != nil {
			return "", 0, err
		}
	}
	p, err := s.Subscriptions.By(ctx, e.User, time.Time{}, page.Query{First: cleaned, After: cursor}, false)
	return page.Chunk(p, err, func(sub *messaging.Subscription) error { return s.leave(ctx, sub, e.Hard) })
}

// leave ends a user's part in a topic. The subscription to a two-person topic is kept for
// the sake of the other user, and so are its messages until both have left.
func (s *Service) leave(ctx context.Context, sub *messaging.Subscription, hard bool) error {
	isPair := sub.Topic.Kind() == messaging.P2P
	err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		facts, err := s.Store.Facts(ctx, messaging.Wanted{Subscriptions: []messaging.SubscriptionRef{sub.SubscriptionRef}, Topics: []messaging.TopicID{sub.Topic}})
		if err != nil {
			return err
		}
		now, t := facts.Subscriptions[sub.SubscriptionRef], facts.Topics[sub.Topic]
		switch {
		case !now.Active() && isPair && hard && t != nil && !t.Exists():
			return s.emptyPair(ctx, a, t, sub.User)
		case !now.Active():
			return nil
		case !t.Exists(): // or the user's own, which has no row
			return s.Subscriptions.Close(ctx, now, s.later(now.UpdatedAt))
		case isPair:
			_, err = s.endPair(ctx, a, t, now, hard)
		case t.Owner == sub.User:
			err = s.endGroup(ctx, a, t, hard)
		default:
			_, err = s.end(ctx, a, messaging.Authority{Owner: t.Owner}, now)
		}
		return err
	})
	if err != nil || !hard || isPair {
		return err
	}
	return s.Subscriptions.Remove(ctx, []messaging.SubscriptionRef{sub.SubscriptionRef})
}

// emptyPair deletes the messages of a two-person topic that both users have left.
func (s *Service) emptyPair(ctx context.Context, a *decision.Attempt, t *messaging.Topic, by messaging.UserID) error {
	if t.ClearID == t.SeqID {
		return nil
	}
	ended := messaging.TopicEnded{Topic: t.ID, By: by, At: t.DeletedAt, Hard: true, Upto: t.SeqID}
	return s.Subscriptions.EmptyPair(ctx, t, a.Emit(ended)...)
}
