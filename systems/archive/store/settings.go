package store

import (
	"context"

	"stoa/internal/kit/stored"
	"stoa/systems/archive"
)

// Settings stores the metadata fields of posts, and allocates ids.
type Settings struct{ Reader }

// Save replaces settings, which must be as read.
func (s *Settings) Save(ctx context.Context, before, after *archive.Settings) error {
	tx := s.db.NewTx()
	w := settings.Put(tx, settingsItemOf(after))
	if before.InsertTime.IsZero() {
		w.Absent()
	} else {
		w.If(asRead, before.LastUpdateTime)
	}
	return stored.Outcome(tx.Run(ctx))
}
