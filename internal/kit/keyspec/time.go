package keyspec

import (
	"fmt"
	"time"
	"unsafe"

	"stoa/internal/kit/stamp"
)

// A time is stored in UTC with the digits of its table's precision, for the years 0 to 9999.
// The width is fixed, because keys sort as text: in a format that omits zeros, "…00.5Z" would
// sort before "…00Z". A zero time is absent, and so is the Unix epoch.

// timeValue stores a time.Time, given its conversions: to a number of the smallest unit since
// the epoch, and to and from text.
func timeValue(since func(time.Time) int64, format func(time.Time) string, parse func(string) (time.Time, error)) value {
	at := func(p unsafe.Pointer) int64 {
		if t := *(*time.Time)(p); !t.IsZero() {
			return since(t)
		}
		return 0
	}
	v := value{
		wire:  wireText,
		zero:  func(p unsafe.Pointer) bool { return at(p) == 0 },
		equal: func(p, q unsafe.Pointer) bool { return at(p) == at(q) },
	}.withText(
		func(p unsafe.Pointer) string {
			if at(p) == 0 {
				return ""
			}
			return format(*(*time.Time)(p))
		},
		func(text string, p unsafe.Pointer) error {
			if text == "" {
				return nil
			}
			t, err := parse(text)
			if since(t) != 0 {
				*(*time.Time)(p) = t
			}
			return err
		})
	v.isStamp = true
	return v
}

// parseMilli parses the stored form with milliseconds.
func parseMilli(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || len(text) != len(stamp.Milli) {
		return time.Time{}, fmt.Errorf("keyspec: %q is no timestamp like %s", text, stamp.Milli)
	}
	return t.UTC(), nil
}

// parseNano parses the stored form with nanoseconds.
func parseNano(text string) (time.Time, error) {
	t, err := time.Parse(stamp.Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("keyspec: %q is no timestamp like %s", text, stamp.Nano)
	}
	return t, nil
}

// parseMicro parses the stored form with microseconds and, for imported data, any other
// RFC 3339 time.
func parseMicro(text string) (time.Time, error) {
	if micros, ok := parseStored(text); ok {
		return time.UnixMicro(micros).UTC(), nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("keyspec: %q is no timestamp like %s", text, stamp.Micro)
	}
	return t.UTC().Truncate(time.Microsecond), nil
}

// parseStored parses the stored form in half the time of time.Parse: a page of items has
// hundreds of times. It leaves the ends of months to time.Parse, which knows their lengths.
func parseStored(text string) (micros int64, ok bool) {
	if len(text) != len(stamp.Micro) || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
		text[13] != ':' || text[16] != ':' || text[19] != '.' || text[26] != 'Z' {
		return 0, false
	}
	year, month, day := number(text[0:4]), number(text[5:7]), number(text[8:10])
	hour, minute, second := number(text[11:13]), number(text[14:16]), number(text[17:19])
	fraction := number(text[20:26])
	if year < 1 || month < 1 || month > 12 || day < 1 || day > 28 ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || fraction < 0 {
		return 0, false
	}
	// These years start in March, so that the leap day is their last.
	if month <= 2 {
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
	seconds := (days*24+hour)*3600 + minute*60 + second
	return int64(seconds*1e6 + fraction), true
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
