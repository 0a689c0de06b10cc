package keyspec

import (
	"fmt"
	"time"
)

// stampWidth is the length of every stored Stamp.
const stampWidth = len("2006-01-02T15:04:05.000000Z")

// Stamp is a time in UTC with microseconds, for the years 0 to 9999. It is stored with a
// fixed width, because keys sort as text: in a format that omits zeros, "…00.5Z" would sort
// before "…00Z". The zero Stamp is absent, so the Unix epoch itself cannot be stored.
type Stamp int64

// StampOf returns t truncated to microseconds. The zero time is the zero Stamp.
func StampOf(t time.Time) Stamp {
	if t.IsZero() {
		return 0
	}
	return Stamp(t.UnixMicro())
}

// Time returns s in UTC, or the zero time for the zero Stamp.
func (s Stamp) Time() time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(s)).UTC()
}

// String returns the stored text, or "" for the zero Stamp.
func (s Stamp) String() string {
	if s == 0 {
		return ""
	}
	return fixed(s.Time(), stampWidth)
}

// fixed returns the RFC 3339 form of t with the given length, which determines the digits of
// its fraction. t is in UTC and has no finer fraction.
func fixed(t time.Time, width int) string {
	// With a nanosecond, RFC3339Nano omits no digit. Any other layout takes twice as long.
	var room [len(time.RFC3339Nano)]byte
	text := t.Add(time.Nanosecond).AppendFormat(room[:0], time.RFC3339Nano)
	text[width-1] = 'Z'
	return string(text[:width])
}

// ParseStamp parses the stored form and, for imported data, any other RFC 3339 time. Empty
// text is the zero Stamp.
func ParseStamp(text string) (Stamp, error) {
	if text == "" {
		return 0, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, fmt.Errorf("keyspec: %q is no timestamp like 2006-01-02T15:04:05.000000Z", text)
	}
	return StampOf(t), nil
}
