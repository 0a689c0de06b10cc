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
	return fixed(time.UnixMicro(int64(s)), stampWidth)
}

// fixed returns the form of t with the given length, at most stampWidth, which determines
// the digits of its fraction. It takes a fraction of the time of Format.
func fixed(t time.Time, width int) string {
	var text [stampWidth]byte
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	digits(text[0:4], year)
	text[4] = '-'
	digits(text[5:7], int(month))
	text[7] = '-'
	digits(text[8:10], day)
	text[10] = 'T'
	digits(text[11:13], hour)
	text[13] = ':'
	digits(text[14:16], minute)
	text[16] = ':'
	digits(text[17:19], second)
	text[19] = '.'
	digits(text[20:26], t.Nanosecond()/1000)
	text[width-1] = 'Z'
	return string(text[:width])
}

// ParseStamp parses the stored form and, for imported data, any other RFC 3339 time. Empty
// text is the zero Stamp.
func ParseStamp(text string) (Stamp, error) {
	if text == "" {
		return 0, nil
	}
	if micros, ok := parseFixed(text, stampWidth); ok {
		return Stamp(micros), nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, fmt.Errorf("keyspec: %q is no timestamp like 2006-01-02T15:04:05.000000Z", text)
	}
	return StampOf(t), nil
}

// parseFixed parses the form with the given length to microseconds since 1970, without
// time.Parse, which takes several times as long and is noticeable on large pages.
func parseFixed(text string, width int) (micros int, ok bool) {
	if len(text) != width || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
		text[13] != ':' || text[16] != ':' || text[19] != '.' || text[width-1] != 'Z' {
		return 0, false
	}
	year, ok0 := number(text[0:4])
	month, ok1 := number(text[5:7])
	day, ok2 := number(text[8:10])
	hour, ok3 := number(text[11:13])
	minute, ok4 := number(text[14:16])
	second, ok5 := number(text[17:19])
	fraction, ok6 := number(text[20 : width-1])
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5 && ok6) ||
		month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	seconds := daysSinceEpoch(year, month, day)*86400 + hour*3600 + minute*60 + second
	for range stampWidth - width {
		fraction *= 10
	}
	return seconds*1e6 + fraction, true
}

// daysSinceEpoch returns the number of days from 1970-01-01 in the proleptic Gregorian
// calendar. Its years start in March, so that the leap day is their last.
func daysSinceEpoch(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	leapDays := floorDiv(year, 4) - floorDiv(year, 100) + floorDiv(year, 400)
	return year*365 + leapDays + (153*(month-3)+2)/5 + day - 1 - 719468
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	default:
		return 31
	}
}

func digits(dst []byte, n int) {
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = byte('0' + n%10)
		n /= 10
	}
}

func number(text string) (int, bool) {
	n := 0
	for i := 0; i < len(text); i++ {
		d := text[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int(d)
	}
	return n, true
}
