package store

import (
	"context"
	"errors"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// BadWords stores that the dictionary of bad words was replaced.
type BadWords struct{ db *keyspec.DB }

// Replaced stores e.
func (s *BadWords) Replaced(ctx context.Context, e ...outbox.Record) error {
	if len(e) == 0 {
		return nil
	}
	tx := s.db.NewTx()
	ops.Record(tx, e...)
	return tx.Run(ctx)
}

// All returns all comments, in no useful order.
func (s *Comments) All(ctx context.Context, q page.Query) (page.Page[*social.Comment], error) {
	return scanned(ctx, s.db, comments, q, (*commentItem).comment)
}

// AllMessages returns the messages of all chats, in no useful order.
func (s *Chats) AllMessages(ctx context.Context, q page.Query) (page.Page[*social.ChatMessage], error) {
	return scanned(ctx, s.db, chatMessages, q, (*chatMessageItem).message)
}

func scanned[I, N any](ctx context.Context, db *keyspec.DB, rows *keyspec.Entity[I], q page.Query, noun func(*I) N) (page.Page[N], error) {
	items, next, err := rows.Scan(ctx, db, keyspec.Page{Limit: q.First, After: q.After})
	if errors.Is(err, keyspec.ErrCursor) {
		return page.Page[N]{}, page.ErrToken
	}
	p := page.Page[N]{Items: make([]N, len(items)), Next: next}
	for i := range items {
		p.Items[i] = noun(&items[i])
	}
	return p, err
}
