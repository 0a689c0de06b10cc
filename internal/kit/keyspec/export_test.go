package keyspec

import (
	"context"
	"encoding/base64"
)

// SetPause replaces the waiting between attempts.
func (db *DB) SetPause(pause func(ctx context.Context, attempt int) error) { db.pause = pause }

// Forge returns a cursor of r, in ascending order, whose checksum is right whatever
// its position is.
func Forge[T any](r Range[T], position []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(r.checksum(false, position), position...))
}

// Position returns the position in a cursor.
func Position(cursor string) []byte {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		panic(err)
	}
	return raw[checksumSize:]
}

// RememberedConditions returns how many conditions of a row are remembered.
func (r *row) RememberedConditions() int { return len(r.expressions.parsed) }
