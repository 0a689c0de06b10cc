package store

import (
	"context"

	"stoa/internal/kit/stored"
	"stoa/systems/pantry"
)

// Categories stores the list of categories.
type Categories struct{ Reader }

// Set replaces the list, which must be as read.
func (s *Categories) Set(ctx context.Context, from, to pantry.Categories) error {
	tx := s.db.NewTx()
	if from.Version == 0 {
		categories.Create(tx, categoriesItemOf(to))
	} else {
		categories.Put(tx, categoriesItemOf(to)).If("Version = ?", from.Version)
	}
	return stored.Outcome(tx.Run(ctx))
}
