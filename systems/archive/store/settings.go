package store

import (
	"context"

	"stoa/systems/archive"
)

// Settings keeps what can be said of posts, and gives ids.
type Settings struct{ Reader }

// Save stores settings in place of those that were read.
func (s *Settings) Save(ctx context.Context, before, after *archive.Settings) error {
	tx := s.db.NewTx()
	w := settings.Put(tx, settingsItemOf(after))
	if before.InsertTime.IsZero() {
		w.Absent()
	} else {
		w.If(asRead, text(before.LastUpdateTime))
	}
	return outcome(tx.Run(ctx))
}
