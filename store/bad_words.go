package store

import (
	"context"
	"errors"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// The only row records the dictionary of bad words that all texts were last checked
// against.
var badWords = keyspec.Define[badWordsItem](ops.Table, keyspec.Row{Key: keyspec.K("badWords", "-")})

type badWordsItem struct {
	// Checked is the hash of the dictionary.
	Checked string `dynamo:"checked"`
}

// BadWords stores which dictionary of bad words all texts were last checked against.
type BadWords struct{ db *keyspec.DB }

// Checked returns the hash of the dictionary that all texts have been checked against, or
// are about to be; "" if none.
func (s *BadWords) Checked(ctx context.Context) (hash string, err error) {
	item, err := badWords.Get(ctx, s.db, badWords.Key())
	if item == nil || err != nil {
		return "", err
	}
	return item.Checked, nil
}

// Replaced records that the dictionary has been replaced, given the hashes before ("" if
// none) and after, and stores e. It fails with Conflict if before is not the recorded one.
func (s *BadWords) Replaced(ctx context.Context, before, after string, e ...outbox.Record) error {
	tx := s.db.NewTx()
	put := badWords.Put(tx, badWordsItem{Checked: after})
	if before == "" {
		put.Absent()
	} else {
		put.If("checked = ?", before)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// All returns all comments, in no particular order.
func (s *Comments) All(ctx context.Context, q page.Query) (page.Page[*social.Comment], error) {
	return scanned(ctx, s.db, comments, q, stored.Same)
}

// AllMessages returns the messages of all chats, in no particular order.
func (s *Chats) AllMessages(ctx context.Context, q page.Query) (page.Page[*social.ChatMessage], error) {
	return scanned(ctx, s.db, chatMessages, q, stored.Same)
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
