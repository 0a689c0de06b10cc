package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/systems/pantry"
)

// Kinds of rows of others that may refer to a user.
const (
	tracesInContainers = "containers"
	tracesInLinks      = "links"
)

// EraseTraces removes a former user from a page of the rows of others: foods and join links no
// longer say who added them. It reads all rows, since nothing lists these.
func (s *Users) EraseTraces(ctx context.Context, id pantry.UserID, cursor string) (_ string, rows int, err error) {
	kind, after, next := page.Lists([]string{tracesInContainers, tracesInLinks}, cursor)
	if kind == tracesInLinks {
		more, rows, err := stored.Sweep(ctx, s.db, joinLinks, page.Query{First: page.Max, After: after}, func(l joinLinkItem) (*joinLinkItem, bool) {
			is := l.CreatedBy == id
			if is {
				l.CreatedBy = ""
			}
			return &l, is
		})
		return next(more), rows, err
	}
	items, more, err := containers.Scan(ctx, s.db, keyspec.Page{Limit: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	for _, c := range items {
		for of, f := range c.Foods {
			if f.AddedBy != id {
				continue
			}
			tx := s.db.NewTx()
			containers.Update(tx, containerKey(c.ID)).RemoveIn(inFoods(of, "AddedBy")).If("Foods.@.AddedBy = ?", string(of), string(id))
			if err := refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx))); err != nil { // the food may be gone
				return "", rows, err
			}
			rows++
		}
	}
	return next(more), rows, nil
}
