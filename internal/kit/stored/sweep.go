package stored

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Sweep changes or deletes rows of a page of all rows of a kind. become returns what a row
// becomes, nil to delete it, and false to leave it alone. same, if there is one, adds the
// condition that a row has not changed since it was read; Sweep then fails with a Conflict if
// one has. It returns the number of rows changed. It is for rare tasks without an index.
func Sweep[T any](
	ctx context.Context, db *keyspec.DB, rows *keyspec.Entity[T], q page.Query, become func(T) (after *T, change bool),
	same ...func(keyspec.Update, T),
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
			u := rows.Change(tx, item, *after)
			for _, s := range same {
				s(u, item)
			}
		}
		if err := Outcome(tx.Run(ctx)); err != nil {
			// A row that is gone needs nothing.
			left, lost := rows.Get(ctx, db, rows.KeyOf(&item))
			if lost != nil {
				return "", n, lost
			}
			if left != nil || refusal.IgnoreConflict(err) != nil {
				return "", n, err
			}
		}
		n++
	}
	return next, n, nil
}
