package app

import (
	"context"
	"slices"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/internal/outbox"
	"stoa/systems/communities"
	"stoa/systems/communities/message"
)

// content shows reported and held messages to those who decide about them.
type content struct{ messages *message.Service }

// Shown returns what moderators see of messages, as far as they exist.
func (c content) Shown(ctx context.Context, items []desk.Item) (map[desk.Item]*operator.Shown, error) {
	var w communities.Wanted
	for _, i := range items {
		if ref, ok := communities.MessageOf(i); ok {
			w.Messages = append(w.Messages, ref)
		}
	}
	facts, err := c.messages.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	all := map[desk.Item]*operator.Shown{}
	for ref, m := range facts.Messages {
		if !m.Deleted {
			all[ref.CaseItem()] = &operator.Shown{Excerpt: operator.Excerpt(m.Content), Media: []string{}, Visible: !m.Held}
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
	ref, ok := communities.MessageOf(in.Item)
	if !ok {
		return nil, nil
	}
	before, err := c.messages.Store.List(ctx, ref.Chat, communities.Span{Before: ref.At}, page.Query{First: contextMessages}, true)
	var all []*operator.ContextItem
	for _, m := range slices.Backward(before.Items) {
		if !m.Deleted && !m.Held {
			all = append(all, &operator.ContextItem{
				Kind: desk.Message, ItemID: m.CaseItem().ItemID, AuthorID: m.AuthorID, When: m.At, Excerpt: operator.Excerpt(m.Content), Media: []string{},
			})
		}
	}
	return all, err
}

// Decide carries out a verdict together with the step of the message's case.
func (c content) Decide(ctx context.Context, v desk.Verdict, step desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	ref, ok := communities.MessageOf(step.After.Item)
	if !ok {
		return false, nil
	}
	return c.messages.Decide(ctx, ref, v, step, e...)
}
