package keyspec

import (
	"fmt"
	"time"

	"stoa/internal/kit/stamp"
)

// MilliStamp is a Stamp in milliseconds, for tables whose design requires three digits:
// 2006-01-02T15:04:05.000Z.
type MilliStamp int64

// MilliStampOf returns t truncated to milliseconds. The zero time is the zero MilliStamp.
func MilliStampOf(t time.Time) MilliStamp {
	if t.IsZero() {
		return 0
	}
	return MilliStamp(t.UnixMilli())
}

// Time returns s in UTC, or the zero time for the zero MilliStamp.
func (s MilliStamp) Time() time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(s)).UTC()
}

// String returns the stored text, or "" for the zero MilliStamp.
func (s MilliStamp) String() string {
	if s == 0 {
		return ""
	}
	return stamp.MilliOf(s.Time())
}

// ParseMilliStamp parses the stored form. Empty text is the zero MilliStamp.
func ParseMilliStamp(text string) (MilliStamp, error) {
	if text == "" {
		return 0, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || len(text) != len(stamp.Milli) {
		return 0, fmt.Errorf("keyspec: %q is no timestamp like %s", text, stamp.Milli)
	}
	return MilliStampOf(t), nil
}
