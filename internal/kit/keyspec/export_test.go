package keyspec

import "context"

// SetPause replaces the waiting between attempts.
func (db *DB) SetPause(pause func(ctx context.Context, attempt int) error) { db.pause = pause }
