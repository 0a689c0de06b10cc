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

// content shows reported and held messages to those who decide about them.
type content struct {
	messages *message.Service
	frame    decision.Frame
}

// Shown returns what moderators see of messages, as far as they exist.
func (c content) Shown(ctx context.Context, items []desk.Item) (map[desk.Item]*operator.Shown, error) {
	var w messaging.Wanted
	of := map[messaging.MessageRef]desk.Item{}
	wants := func(ref messaging.MessageRef, i desk.Item) {
		of[ref] = i
		if w.Messages = append(w.Messages, ref); ref.Seq > 0 && !slices.Contains(w.Topics, ref.Topic) {
			w.Topics = append(w.Topics, ref.Topic)
		}
	}
	for _, i := range items {
		if ref, ok := messaging.MessageOf(i); ok {
			wants(ref, i)
		}
	}
	all := map[desk.Item]*operator.Shown{}
	for len(w.Messages) > 0 {
		facts, err := c.messages.Store.Facts(ctx, w)
		if err != nil {
			return nil, err
		}
		w = messaging.Wanted{}
		for ref, m := range facts.Messages {
			held := m.IsHeld(c.frame.Now())
			if held || ref.Seq > 0 && facts.Topics[ref.Topic].HasMessage(m, c.frame.Now()) {
				all[of[ref]] = &operator.Shown{Excerpt: operator.Excerpt(m.Shown()), Media: []string{}, Visible: !held}
			} else if m.PublishedAs > 0 {
				wants(messaging.MessageRef{Topic: m.Topic, Seq: m.PublishedAs}, of[ref])
			}
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

// Context returns the messages before a reported one, oldest first. Before a held one these are the
// last of its topic.
func (c content) Context(ctx context.Context, in *desk.Case) ([]*operator.ContextItem, error) {
	ref, ok := messaging.MessageOf(in.Item)
	if !ok || ref.Seq == 0 || ref.Seq == 1 {
		return nil, nil
	}
	if ref.Seq < 0 {
		facts, err := c.messages.Store.Facts(ctx, messaging.Wanted{Messages: []messaging.MessageRef{ref}})
		m := facts.Messages[ref]
		if err != nil || m == nil {
			return nil, err
		}
		ref = messaging.MessageRef{Topic: m.Topic, Seq: m.PublishedAs}
	}
	facts, err := c.messages.Store.Facts(ctx, messaging.Wanted{Topics: []messaging.TopicID{ref.Topic}})
	t := facts.Topics[ref.Topic]
	if err != nil || t == nil {
		return nil, err
	}
	if ref.Seq == 0 {
		ref.Seq = t.SeqID + 1
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
