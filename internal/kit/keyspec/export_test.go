package keyspec

import (
	"context"
	"encoding/base64"
	"time"
	"unsafe"

	"stoa/internal/kit/stamp"
)

// SetPause replaces the pause between attempts.
func (db *DB) SetPause(pause func(ctx context.Context, attempt int) error) { db.pause = pause }

// Forge returns an ascending cursor of r with any position and a valid checksum.
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

// RememberedConditions returns the number of cached conditions of a row.
func (r *row) RememberedConditions() int { return len(r.expressions.parsed) }

var (
	micros = timeValue(time.Time.UnixMicro, stamp.MicroOf, parseMicro)
	millis = timeValue(time.Time.UnixMilli, stamp.MilliOf, parseMilli)
)

// FormatTime returns the stored text of a time with microseconds.
func FormatTime(t time.Time) string { return micros.format(unsafe.Pointer(&t)) }

// ParseTime parses a stored text of a time with microseconds.
func ParseTime(text string) (t time.Time, err error) {
	err = micros.parse(text, unsafe.Pointer(&t))
	return t, err
}

// FormatMilli and ParseMilli are the same with milliseconds.
func FormatMilli(t time.Time) string { return millis.format(unsafe.Pointer(&t)) }
func ParseMilli(text string) (t time.Time, err error) {
	err = millis.parse(text, unsafe.Pointer(&t))
	return t, err
}
