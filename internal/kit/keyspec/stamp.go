package keyspec

import (
	"fmt"
	"time"

	"stoa/internal/kit/stamp"
)

// stampWidth is the length of every stored Stamp.
const stampWidth = len(stamp.Micro)

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
	return stamp.MicroOf(s.Time())
}

// ParseStamp parses the stored form and, for imported data, any other RFC 3339 time. Empty
// text is the zero Stamp.
func ParseStamp(text string) (Stamp, error) {
	if text == "" {
		return 0, nil
	}
	if s, ok := parseStored(text); ok {
		return s, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, fmt.Errorf("keyspec: %q is no timestamp like %s", text, stamp.Micro)
	}
	return StampOf(t), nil
}

// parseStored parses the stored form in half the time of time.Parse: a page of items has
// hundreds of stamps. It leaves the ends of months to time.Parse, which knows their lengths.
func parseStored(text string) (Stamp, bool) {
	if len(text) != stampWidth || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
		text[13] != ':' || text[16] != ':' || text[19] != '.' || text[26] != 'Z' {
		return 0, false
	}
	year, month, day := number(text[0:4]), number(text[5:7]), number(text[8:10])
	hour, minute, second := number(text[11:13]), number(text[14:16]), number(text[17:19])
	micros := number(text[20:26])
	if year < 1 || month < 1 || month > 12 || day < 1 || day > 28 ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || micros < 0 {
		return 0, false
	}
	// These years start in March, so that the leap day is their last.
	if month <= 2 {
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
	seconds := (days*24+hour)*3600 + minute*60 + second
	return Stamp(seconds*1e6 + micros), true
}

// number returns the value of decimal digits, or -1 if text has anything else.
func number(text string) (n int) {
	for i := range len(text) {
		digit := text[i] - '0'
		if digit > 9 {
			return -1
		}
		n = 10*n + int(digit)
	}
	return n
}
