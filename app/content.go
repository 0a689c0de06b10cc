package app

import (
	"context"
	"slices"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/operator"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/social/chat"
	"stoa/social/comment"
	"stoa/social/media"
	"stoa/social/post"
	"stoa/store"
)

// content shows what users report to those who decide about it.
type content struct {
	posts    *post.Service
	comments *comment.Service
	chats    *chat.Service
	store    *store.Store
	files    *media.Service
	cases    *ops.Operators
}

// flagKinds are the kinds of flags on kinds of content.
var flagKinds = map[desk.ContentKind]social.FlagKind{
	desk.Post: social.FlagOnPost, desk.Comment: social.FlagOnComment, desk.Room: social.FlagOnChat, desk.Message: social.FlagOnChatMessage,
}

// Shown returns what moderators see of items, as far as they exist.
func (c content) Shown(ctx context.Context, items []desk.Item) (map[desk.Item]*operator.Shown, error) {
	var ids store.ReportedIDs
	for _, i := range items {
		switch i.Kind {
		case desk.Post:
			ids.Posts = append(ids.Posts, social.PostID(i.ItemID))
		case desk.Comment:
			ids.Comments = append(ids.Comments, social.CommentID(i.ItemID))
		case desk.Room:
			ids.Chats = append(ids.Chats, social.ChatID(i.ItemID))
		case desk.Message:
			ids.Messages = append(ids.Messages, social.ChatMessageID(i.ItemID))
		case desk.Person:
			ids.Users = append(ids.Users, social.UserID(i.ItemID))
		}
	}
	found, err := c.store.Reported(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := map[desk.Item]*operator.Shown{}
	for _, p := range found.Posts {
		all[p.CaseItem()] = c.post(p)
	}
	for _, m := range found.Comments {
		all[m.CaseItem()] = shownText(m.Text)
		all[m.CaseItem()].Visible = !m.Held
	}
	for _, m := range found.Chats {
		all[m.CaseItem()] = shownText(m.Name)
	}
	for _, m := range found.Messages {
		all[m.CaseItem()] = shownText(m.Text)
		all[m.CaseItem()].Visible = !m.Held
	}
	for _, u := range found.Users {
		all[social.PersonCase(u.UserID)] = c.person(u)
	}
	return all, nil
}

// shownText shows what exists only as long as others see it.
func shownText(text string) *operator.Shown {
	return &operator.Shown{Excerpt: operator.Excerpt(text), Media: []string{}, Visible: true}
}

func (c content) post(p *social.Post) *operator.Shown {
	s := &operator.Shown{Excerpt: operator.Excerpt(p.Text), Media: []string{},
		Visible: p.Status == social.PostCompleted, RemovedBy: operator.RemovedBy(p.RemovedBy)}
	if p.HasFiles() && p.Shown() {
		s.Media = append(s.Media, c.files.At(social.PostFiles(p.PostedByUserID, p.PostID)+"/image").URL1080p)
	}
	return s
}

// person shows what a user says about themselves.
func (c content) person(u *social.User) *operator.Shown {
	text := u.FullName
	if text != "" && u.Bio != "" {
		text += "\n"
	}
	s := shownText(text + u.Bio)
	if u.PhotoPostID != "" {
		s.Media = append(s.Media, c.files.At(social.PhotoFiles(u.UserID, u.PhotoPostID)).URL1080p)
	}
	if s.Visible = u.Stands() == social.UserActive; !s.Visible {
		s.RemovedBy = desk.RemovedByModerator
	}
	return s
}

// Reports returns the reports that are with an item.
func (c content) Reports(ctx context.Context, kind desk.ContentKind, id string, q page.Query) (page.Page[desk.Report], error) {
	on, flagged := flagKinds[kind]
	if !flagged {
		return page.Page[desk.Report]{}, nil
	}
	flags, err := c.store.Flags.Of(ctx, on, id, q)
	return page.Map(flags, social.Flag.Report), err
}

// contextMessages is the number of messages that moderators see before a reported one.
const contextMessages = 10

// Context returns the post of a comment, or the messages before a message, oldest first.
// Nothing else of a chat is shown.
func (c content) Context(ctx context.Context, in *desk.Case) ([]*operator.ContextItem, error) {
	switch in.Kind {
	case desk.Comment:
		m, err := kept(in, func() (*social.Comment, error) { return c.store.Comments.Comment(ctx, social.CommentID(in.ItemID)) })
		if m == nil || err != nil {
			return nil, err
		}
		found, err := c.store.Reported(ctx, store.ReportedIDs{Posts: []social.PostID{m.PostID}})
		if p := found.Posts[m.PostID]; p != nil && !m.Outlives(p.PostedAt) {
			return []*operator.ContextItem{about(p.CaseItem(), p.PostedByUserID, p.PostedAt, c.post(p))}, nil
		}
		return nil, err
	case desk.Message:
		m, err := kept(in, func() (*social.ChatMessage, error) {
			return c.store.Chats.Message(ctx, social.ChatMessageID(in.ItemID))
		})
		if m == nil || err != nil {
			return nil, err
		}
		before, err := c.store.Chats.Before(ctx, m.ChatID, m.CreatedAt, contextMessages)
		var all []*operator.ContextItem
		for _, earlier := range slices.Backward(before.Items) {
			all = append(all, about(earlier.CaseItem(), earlier.UserID, earlier.CreatedAt, shownText(earlier.Text)))
		}
		return all, err
	}
	return nil, nil
}

func about(i desk.Item, author social.UserID, at time.Time, s *operator.Shown) *operator.ContextItem {
	return &operator.ContextItem{Kind: i.Kind, ItemID: i.ItemID, AuthorID: author, When: at, Excerpt: s.Excerpt, Media: s.Media}
}

// kept returns the item that a case keeps, or else the one that read returns.
func kept[T any](c *desk.Case, read func() (*T, error)) (*T, error) {
	if c.Kept.Noun != "" {
		return desk.Restored[T](c.Kept)
	}
	return read()
}

// Decide carries out a verdict together with the step of the item's case.
func (c content) Decide(ctx context.Context, v desk.Verdict, step desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	switch id := step.After.ItemID; step.After.Kind {
	case desk.Post:
		return c.posts.Decide(ctx, social.PostID(id), v, step, e...)
	case desk.Comment:
		return c.comments.Decide(ctx, social.CommentID(id), v, step, e...)
	case desk.Room:
		return c.chats.Decide(ctx, social.ChatID(id), v, step, e...)
	case desk.Message:
		return c.chats.DecideMessage(ctx, social.ChatMessageID(id), v, step, e...)
	case desk.Person:
		u, err := c.store.Users.Profile(ctx, social.UserID(id))
		if u == nil || err != nil {
			return false, err
		}
		return true, c.cases.Decide(ctx, step, e...)
	}
	return false, refusal.Invalidf("There are no cases of %s", step.After.Kind)
}
