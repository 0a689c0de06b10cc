package stored

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Sweep changes or deletes rows of a page of all rows of a kind, each on condition that it has
// not changed since it was read. become returns what a row becomes, nil to delete it, and false
// to leave it alone. Sweep returns the number of rows changed. It is for rare tasks without an
// index.
func Sweep[T any](
	ctx context.Context, db *keyspec.DB, rows *keyspec.Entity[T], q page.Query, become func(T) (after *T, change bool),
) (next string, n int, err error) {
	items, next, err := rows.Scan(ctx, db, keyspec.Page{Limit: q.First, After: q.After})
	if err != nil {
		return "", 0, err
	}
	for _, item := range items {
		after, change := become(item)
		if !change {
			continue
		}
		tx := db.NewTx()
		if after == nil {
			rows.Delete(tx, rows.KeyOf(&item))
		} else {
			rows.Change(tx, item, *after)
		}
		// A row that is gone needs nothing.
		if err := refusal.IgnoreConflict(Outcome(tx.Run(ctx))); err != nil {
			return "", n, err
		}
		n++
	}
	return next, n, nil
}
