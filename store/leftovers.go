package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// leftovers removes rows under a post after the post has been removed, without updating
// counters.
type leftovers[T any] struct {
	db *keyspec.DB
	// made returns when a row was written; remove deletes the row.
	made   func(T) time.Time
	remove func(tx *keyspec.Tx, row T)
}

// of removes rows of a removed post, at most that many per transaction. It keeps rows of a
// newer post with the same id.
func (l leftovers[T]) of(ctx context.Context, id social.PostID, rows []T, most int) error {
	for chunk := range slices.Chunk(rows, most) {
		if err := l.together(ctx, id, chunk); err != nil {
			return err
		}
	}
	return nil
}

// together removes rows in one transaction, or one by one if some are not leftovers.
func (l leftovers[T]) together(ctx context.Context, id social.PostID, rows []T) error {
	latest := l.made(rows[0])
	tx := l.db.NewTx()
	for _, row := range rows {
		l.remove(tx, row)
		if at := l.made(row); at.After(latest) {
			latest = at
		}
	}
	gone := posts.Check(tx, postKey(id)).If(gonePost, latest)
	err := tx.Run(ctx)
	switch {
	case !keyspec.Refused(err, gone):
		return err
	case len(rows) == 1:
		return nil
	default:
		return l.of(ctx, id, rows, 1)
	}
}
