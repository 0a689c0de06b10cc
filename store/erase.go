package store

import (
	"context"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// What is left of the bans of erased users: keyed hashes of their contacts and devices. There
// are few.
var bannedHashes = keyspec.Define[bannedHashItem](ops.Table, keyspec.Row{Key: keyspec.K("bannedHashes", "{hash}")})

type bannedHashItem struct {
	Hash      string    `dynamo:"hash,keyonly"`
	ExpiresAt time.Time `dynamo:"expiresAt"`
}

// EraseFormer deletes what a removed profile leaves for its successor, and replaces the ban by
// hashes that are kept until a time.
func (s *Users) EraseFormer(ctx context.Context, id social.UserID, until time.Time, e ...outbox.Record) error {
	ban, err := bans.Get(ctx, s.db, bans.Key(string(id)))
	if err != nil {
		return err
	}
	tx := s.db.NewTx()
	tombstones.Delete(tx, tombstones.Key(string(id)))
	devices.Delete(tx, devices.Key(string(id)))
	if ban != nil {
		bans.Delete(tx, bans.KeyOf(ban))
		for _, text := range []string{ban.Email, ban.PhoneNumber, ban.DeviceID} {
			if text != "" && s.Hash != nil {
				bannedHashes.Put(tx, bannedHashItem{s.Hash(text), until})
			}
		}
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Removed reports whether a user has left a tombstone.
func (s *Users) Removed(ctx context.Context, id social.UserID) (bool, error) {
	left, err := tombstones.Get(ctx, s.db, tombstones.Key(string(id)))
	return left != nil, err
}

// bannedByHash returns which of texts are those of erased users who were banned.
func (s *Users) bannedByHash(ctx context.Context, texts ...string) ([]bool, error) {
	found := make([]bool, len(texts))
	if s.Hash == nil {
		return found, nil
	}
	b := s.db.NewBatch()
	fetched := make([]keyspec.Fetched[bannedHashItem], len(texts))
	for i, text := range texts {
		if text != "" {
			fetched[i] = bannedHashes.Fetch(b, bannedHashes.Key(s.Hash(text)))
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	for i := range texts {
		found[i] = fetched[i].Len() > 0 && fetched[i].At(0) != nil
	}
	return found, nil
}

// ForgetBans removes the hashes that are kept no longer.
func (s *Users) ForgetBans(ctx context.Context, now time.Time) error {
	b := s.db.NewBulk()
	for item, err := range bannedHashes.Begins(keyspec.Primary).All(ctx, s.db) {
		if err != nil {
			return err
		}
		if item.ExpiresAt.Before(now) {
			bannedHashes.DeleteIn(b, bannedHashes.KeyOf(&item))
		}
	}
	return b.Run(ctx)
}

// Kinds of rows of others that may refer to a user.
const (
	tracesInMessages = "messages"
	tracesInComments = "comments"
	tracesInPosts    = "posts"
	tracesInChats    = "chats"
)

// EraseTraces removes a former user from a page of the rows that are not theirs: messages in
// groups become empty ones of nobody, so that the counters of the group still hold, and
// mentions lose the name. It reads all rows, since nothing lists these.
func (s *Users) EraseTraces(ctx context.Context, id social.UserID, name, cursor string) (_ string, rows int, err error) {
	kind, after, next := page.Lists([]string{tracesInMessages, tracesInComments, tracesInPosts, tracesInChats}, cursor)
	q := page.Query{First: page.Max, After: after}
	var more string
	switch kind {
	case tracesInMessages:
		more, rows, err = stored.Sweep(ctx, s.db, chatMessages, q, func(m social.ChatMessage) (*social.ChatMessage, bool) {
			if m.UserID == id {
				return &social.ChatMessage{MessageID: m.MessageID, ChatID: m.ChatID, CreatedAt: m.CreatedAt, FlagCount: m.FlagCount}, true
			}
			text, tags, is := unmention(m.Text, m.TextTags, id, name)
			m.Text, m.TextTags = text, tags
			return &m, is
		})
	case tracesInComments:
		more, rows, err = stored.Sweep(ctx, s.db, comments, q, func(c social.Comment) (*social.Comment, bool) {
			text, tags, is := unmention(c.Text, c.TextTags, id, name)
			c.Text, c.TextTags = text, tags
			return &c, is
		})
	case tracesInPosts:
		more, rows, err = stored.Sweep(ctx, s.db, posts, q, func(p social.Post) (*social.Post, bool) {
			text, tags, is := unmention(p.Text, p.TextTags, id, name)
			p.Text, p.TextTags = text, tags
			return &p, is
		})
	default:
		more, rows, err = stored.Sweep(ctx, s.db, chats, q, func(c social.Chat) (*social.Chat, bool) {
			is := c.CreatedByUserID == id
			if is {
				c.CreatedByUserID = ""
			}
			return &c, is
		})
	}
	return next(more), rows, err
}

// unmention returns a text without mentions of a user.
func unmention(text string, tags []social.TextTag, id social.UserID, name string) (string, []social.TextTag, bool) {
	var kept []social.TextTag
	for _, t := range tags {
		if t.UserID != id {
			kept = append(kept, t)
			continue
		}
		text = strings.ReplaceAll(text, t.Tag, "@"+desk.ErasedName)
	}
	return text, kept, len(kept) < len(tags)
}
