package graph

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/stamp"
)

const (
	zoneForm  = `(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)`
	dateForm  = `(-?\d{4,})-(\d{2})-(\d{2})`
	clockForm = `([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?`
)

var (
	awsDate     = regexp.MustCompile(`^` + dateForm + zoneForm + `?$`)
	awsTime     = regexp.MustCompile(`^` + clockForm + zoneForm + `?$`)
	awsDateTime = regexp.MustCompile(`^` + dateForm + `T` + clockForm + zoneForm + `$`)
)

// instant marshals itself as an AWSDateTime without an intermediate string, since lists of
// posts and comments contain many.
type instant time.Time

func (t instant) MarshalGQL(w io.Writer) {
	var buf [len(stamp.Nano) + len(`""`)]byte
	_, _ = w.Write(AppendAWSDateTime(buf[:0], time.Time(t)))
}

// MarshalAWSDateTime writes an instant in UTC with three fractional digits.
func MarshalAWSDateTime(t time.Time) graphql.Marshaler { return instant(t) }

// AppendAWSDateTime appends the output of MarshalAWSDateTime.
func AppendAWSDateTime(dst []byte, t time.Time) []byte {
	return append(stamp.Append(append(dst, '"'), t, stamp.Milli), '"')
}

// UnmarshalAWSDateTime parses an instant in ISO 8601. The zone is required: without it, the
// text does not denote an instant.
func UnmarshalAWSDateTime(v any) (time.Time, error) {
	s, err := text("AWSDateTime", v)
	if err != nil {
		return time.Time{}, err
	}
	refusal := malformed("AWSDateTime", s, stamp.Milli)
	m := awsDateTime.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, refusal
	}
	year, month, day, err := calendar(m[1], m[2], m[3])
	if err != nil {
		return time.Time{}, refusal
	}
	hour, _ := strconv.Atoi(m[4])
	minute, _ := strconv.Atoi(m[5])
	second, _ := strconv.Atoi(m[6])
	nanos, _ := strconv.Atoi((m[7] + "000000000")[:9])
	return time.Date(year, month, day, hour, minute, second, nanos, zone(m[8])).UTC(), nil
}

// MarshalAWSDate writes a date unmodified.
func MarshalAWSDate(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalAWSDate parses a calendar date. It accepts a zone: whether one is allowed
// depends on the field.
func UnmarshalAWSDate(v any) (string, error) {
	s, err := text("AWSDate", v)
	if err != nil {
		return "", err
	}
	m := awsDate.FindStringSubmatch(s)
	if m == nil {
		return "", malformed("AWSDate", s, "2006-01-02")
	}
	if _, _, _, err := calendar(m[1], m[2], m[3]); err != nil {
		return "", malformed("AWSDate", s, "2006-01-02")
	}
	return s, nil
}

// MarshalAWSTime writes a time of day unmodified.
func MarshalAWSTime(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalAWSTime parses a time of day with an optional zone.
func UnmarshalAWSTime(v any) (string, error) {
	s, err := text("AWSTime", v)
	if err == nil && !awsTime.MatchString(s) {
		err = malformed("AWSTime", s, "15:04:05.000Z")
	}
	return s, err
}

// MarshalAWSTimestamp writes whole seconds since 1970 as a number.
func MarshalAWSTimestamp(seconds int64) graphql.Marshaler { return graphql.MarshalInt64(seconds) }

// UnmarshalAWSTimestamp parses whole seconds since 1970. It refuses strings and fractions.
func UnmarshalAWSTimestamp(v any) (int64, error) {
	switch n := v.(type) {
	case int64:
		return n, nil
	case int:
		return int64(n), nil
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n), nil
		}
	}
	return 0, fmt.Errorf("AWSTimestamp must be a whole number of seconds since 1970-01-01T00:00:00Z, not %v", v)
}

// calendar parses a date and checks that it exists.
func calendar(y, m, d string) (year int, month time.Month, day int, err error) {
	year, _ = strconv.Atoi(y)
	number, _ := strconv.Atoi(m)
	month = time.Month(number)
	day, _ = strconv.Atoi(d)
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if date.Year() != year || date.Month() != month || date.Day() != day {
		return 0, 0, 0, errors.New("no such date")
	}
	return year, month, day, nil
}

// zone parses a matched zone: Z, or a sign with hours, minutes and optional seconds.
func zone(s string) *time.Location {
	if s == "Z" {
		return time.UTC
	}
	offset := 0
	for i, part := range strings.Split(s[1:], ":") {
		n, _ := strconv.Atoi(part)
		offset += n * [...]int{3600, 60, 1}[i]
	}
	if s[0] == '-' {
		offset = -offset
	}
	return time.FixedZone("", offset)
}
