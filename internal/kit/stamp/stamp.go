// Package stamp writes times in UTC with a fixed number of digits, so that the texts sort
// like the times. Anything finer is truncated, never rounded.
package stamp

import "time"

// Layouts of the texts, for package time.
const (
	Milli = "2006-01-02T15:04:05.000Z"
	Micro = "2006-01-02T15:04:05.000000Z"
	Nano  = "2006-01-02T15:04:05.000000000Z"
)

// MilliOf returns t with milliseconds.
func MilliOf(t time.Time) string { return of(t, Milli) }

// MicroOf returns t with microseconds.
func MicroOf(t time.Time) string { return of(t, Micro) }

// NanoOf returns t with nanoseconds.
func NanoOf(t time.Time) string { return of(t, Nano) }

func of(t time.Time, layout string) string {
	var scratch [len(Nano)]byte
	return string(Append(scratch[:0], t, layout))
}

// Append appends t in one of the layouts of this package. It takes half as long as package
// time with such a layout: a page of results has hundreds of times.
func Append(dst []byte, t time.Time, layout string) []byte {
	t = t.UTC()
	from, full, padded := len(dst), t, t.Nanosecond()%10 == 0
	if padded { // RFC3339Nano, for which package time is fastest, omits zeros at the end
		full = t.Add(time.Nanosecond)
	}
	dst = full.AppendFormat(dst, time.RFC3339Nano)
	if len(dst) != from+len(Nano) { // the year does not have four digits
		return t.AppendFormat(dst[:from], layout)
	}
	if padded {
		dst[len(dst)-2] = '0'
	}
	return append(dst[:from+len(layout)-1], 'Z')
}
