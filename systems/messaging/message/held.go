package message

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// check returns the outcome of the content check of what prepare returns, once the rules allow it.
func (s *Service) check(ctx context.Context, prepare func() (*writing, error)) (desk.Check, error) {
	check := desk.Checking{By: s.Checker}
	if s.Checker == nil {
		return check.Of(ctx, nil)
	}
	w, err := prepare()
	if err != nil {
		return desk.Check{}, err
	}
	return check.Of(ctx, func() desk.Draft {
		return desk.Draft{Item: w.NextHeld().CaseItem(), Author: w.Viewer.ID, Text: w.message(s.Now(), s.Lifetimes).Shown()}
	})
}

// hold stores a message that its content check does not allow, with its case. What is to be removed is
// with its case alone.
func (s *Service) hold(ctx context.Context, a *decision.Attempt, w *writing, found desk.Check) (*messaging.SeenMessage, error) {
	now := s.Now()
	m := w.message(now, s.Lifetimes)
	m.MessageRef = w.NextHeld()
	in, err := desk.CheckedIn(ctx, s.Cases, m.CaseItem(), m.From, now, found)
	if err != nil {
		return nil, err
	}
	h := messaging.Holding{Message: m, Author: w.Mine}
	if found.Verdict == desk.CheckRemove {
		in = in.Removing(desk.RemovedByProgram, m.Kept(), now)
		h.Message = m.Stub(now)
	} else if h.Held, err = s.heldWith(ctx, w.Place, m.Seq); err != nil {
		return nil, err
	}
	h.Case = in
	return m.SeenBy(m.From, w.Mine), s.Store.Hold(ctx, h, decision.Announce(a, in)...)
}

// heldWith returns the numbers of the viewer's held messages with one more.
func (s *Service) heldWith(ctx context.Context, p *messaging.Place, next int) ([]int, error) {
	held, err := s.held(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(held) >= messaging.MaxHeld {
		return nil, messaging.ErrTooManyHeld
	}
	numbers := []int{next}
	for _, m := range held {
		numbers = append(numbers, m.Seq)
	}
	return numbers, nil
}

// held returns the viewer's held messages in a topic, oldest first.
func (s *Service) held(ctx context.Context, p *messaging.Place) (held []*messaging.Message, err error) {
	refs := p.Mine.HeldRefs()
	if len(refs) == 0 {
		return nil, nil
	}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Messages: refs})
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		if m := facts.Messages[ref]; p.Mine.Holds(m, s.Now()) {
			held = append(held, m)
		}
	}
	return held, nil
}

// inHeld begins the cursors of the part of a list that has the viewer's held messages. The number of
// the last one follows.
const inHeld = "held"

// some returns some messages of a topic. Those that are held for the viewer are newer than all others.
func (s *Service) some(ctx context.Context, p *messaging.Place, in messaging.Span, q page.Query, oldestFirst bool) (page.Page[*messaging.Message], error) {
	if len(p.Mine.Held) == 0 || in.Before != 0 {
		if strings.HasPrefix(q.After, inHeld) { // there were some
			q.After = ""
			if oldestFirst {
				return page.Page[*messaging.Message]{}, nil
			}
		}
		return s.Store.List(ctx, p.Topic.ID, in, q, !oldestFirst)
	}
	after, isHeld := strings.CutPrefix(q.After, inHeld)
	if !oldestFirst && q.After == "" || isHeld {
		some, err := s.someHeld(ctx, p, after, q.First, oldestFirst)
		if err != nil || oldestFirst || len(some.Items) > 0 {
			return some, err
		}
		q.After = ""
	}
	some, err := s.Store.List(ctx, p.Topic.ID, in, q, !oldestFirst)
	if oldestFirst && some.Next == "" {
		some.Next = inHeld
	}
	return some, err
}

// someHeld returns some held messages behind one with a number, or the first ones if after is "".
func (s *Service) someHeld(ctx context.Context, p *messaging.Place, after string, first int, oldestFirst bool) (some page.Page[*messaging.Message], err error) {
	held, err := s.held(ctx, p)
	if !oldestFirst {
		slices.Reverse(held)
	}
	if n, none := strconv.Atoi(after); none == nil {
		held = slices.DeleteFunc(held, func(m *messaging.Message) bool { return oldestFirst && m.Seq >= n || !oldestFirst && m.Seq <= n })
	}
	if len(held) == 0 {
		return some, err
	}
	rest := len(held) > first
	if rest {
		held = held[:first]
	}
	if some.Items = held; rest || !oldestFirst {
		some.Next = inHeld + strconv.Itoa(held[len(held)-1].Seq)
	}
	return some, err
}

// withdraw deletes a held message of the viewer.
func (s *Service) withdraw(ctx context.Context, a *decision.Attempt, p *messaging.Place, seq int) (*messaging.Deleted, error) {
	m, err := s.message(ctx, p, seq)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, messaging.ErrNoMessage
	}
	return &messaging.Deleted{Topic: m.Topic, ClearID: p.ClearID, SeqIds: []int{seq}, Hard: true, Changed: true},
		s.Store.Withdraw(ctx, m, p.Mine, a.Emit(noLongerHeld(m.MessageRef, m.From))...)
}

// noLongerHeld returns the event, for the sessions of its author, for the end of a held message.
func noLongerHeld(ref messaging.MessageRef, author messaging.UserID) messaging.Happened {
	news := messaging.News{Kind: messaging.MessagesDeleted, Topic: ref.Topic, User: author, Seqs: []int{ref.Seq}, Own: true}
	return messaging.Happened{News: news, Accounts: []messaging.UserID{author}}
}

// decideHeld is Decide for the row of a message that others have not seen: held, or a tombstone.
func (s *Service) decideHeld(
	ctx context.Context, a *decision.Attempt, row *messaging.Message, v desk.Verdict, c desk.CaseStep, e []outbox.Record,
) (found bool, err error) {
	m, now := row, s.Now()
	if !row.DeletedAt.IsZero() {
		if v != desk.Keep || !c.Before.IsKept(now) {
			return false, nil
		}
		if m, err = desk.Restored[messaging.Message](c.Before.Kept); err != nil {
			return false, err
		}
	}
	by := messaging.SubscriptionRef{Topic: row.Topic, User: m.From}
	w := messaging.Wanted{Topics: []messaging.TopicID{row.Topic}, Subscriptions: []messaging.SubscriptionRef{by}}
	if peer := row.Topic.Peer(m.From); peer != "" {
		w.Users = append(w.Users, peer)
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return false, err
	}
	t, author := facts.Topics[row.Topic], facts.Subscriptions[by]
	if !t.Exists() || !author.Active() || m == row && !author.Holds(row, now) {
		return false, nil // who has left has taken it back
	}
	gone := noLongerHeld(row.MessageRef, m.From)
	if v == desk.Remove {
		c = c.Removing(desk.RemovedByModerator, m.Kept(), now)
		return true, s.Store.Reject(ctx, m, m.Stub(now), author, c, slices.Concat(a.Emit(gone), e)...)
	}
	published := *m
	published.MessageRef, published.CreatedAt = messaging.MessageRef{Topic: t.ID, Seq: t.SeqID + 1}, now
	published.Expires = now.Add(s.Lifetimes.Of(t.ID)).Truncate(time.Second)
	events := []outbox.Event{messaging.PublishedFor(&published, facts.Users[t.ID.Peer(m.From)], false)}
	if m == row {
		events = append(events, gone)
	}
	r := messaging.Releasing{Was: row, Message: &published, Author: author, Case: c.Restoring()}
	return true, s.Store.Release(ctx, r, slices.Concat(a.Emit(events...), e)...)
}
