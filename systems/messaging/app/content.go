package app

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
	"stoa/systems/messaging/message"
)

// content shows reported messages of groups to those who decide about them.
type content struct {
	messages *message.Service
	frame    decision.Frame
}

// Shown returns what moderators see of messages, as far as they exist.
func (c content) Shown(ctx context.Context, items []desk.Item) (map[desk.Item]*operator.Shown, error) {
	var w messaging.Wanted
	topics := map[messaging.TopicID]bool{}
	for _, i := range items {
		if ref, ok := messaging.MessageOf(i); ok {
			w.Messages = append(w.Messages, ref)
			if !topics[ref.Topic] {
				topics[ref.Topic] = true
				w.Topics = append(w.Topics, ref.Topic)
			}
		}
	}
	facts, err := c.messages.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	all := map[desk.Item]*operator.Shown{}
	for ref, m := range facts.Messages {
		if facts.Topics[ref.Topic].HasMessage(m, c.frame.Now()) {
			all[ref.CaseItem()] = &operator.Shown{Excerpt: operator.Excerpt(m.Content.Text()), Media: []string{}, Visible: true}
		}
	}
	return all, nil
}

// Reports returns nothing: all reports are with the cases.
func (content) Reports(context.Context, desk.ContentKind, string, page.Query) (page.Page[desk.Report], error) {
	return page.Page[desk.Report]{}, nil
}

// contextMessages is the number of messages that moderators see before a reported one.
const contextMessages = 10

// Context returns the messages before a reported one, oldest first.
func (c content) Context(ctx context.Context, in *desk.Case) ([]*operator.ContextItem, error) {
	ref, ok := messaging.MessageOf(in.Item)
	if !ok || ref.Seq < 2 {
		return nil, nil
	}
	facts, err := c.messages.Store.Facts(ctx, messaging.Wanted{Topics: []messaging.TopicID{ref.Topic}})
	t := facts.Topics[ref.Topic]
	if err != nil || t == nil {
		return nil, err
	}
	span := messaging.Span{Since: max(1, ref.Seq-contextMessages), Before: ref.Seq}
	before, err := c.messages.Store.List(ctx, ref.Topic, span, page.Query{First: contextMessages}, true)
	var all []*operator.ContextItem
	for _, m := range slices.Backward(before.Items) {
		if t.HasMessage(m, c.frame.Now()) {
			all = append(all, &operator.ContextItem{
				Kind: desk.Message, ItemID: m.MessageRef.String(), AuthorID: m.From, When: m.CreatedAt,
				Excerpt: operator.Excerpt(m.Content.Text()), Media: []string{},
			})
		}
	}
	return all, err
}

// Decide carries out a verdict together with the step of the message's case.
func (c content) Decide(ctx context.Context, v desk.Verdict, step desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	ref, ok := messaging.MessageOf(step.After.Item)
	if !ok {
		return false, nil
	}
	return c.messages.Decide(ctx, ref, v, step, e...)
}
