package social

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
)

// Lifetime is how long a post lives, in calendar units (UTC). The zero value means forever.
type Lifetime struct {
	months, days int
	rest         time.Duration
	given        bool
}

// amount matches a number in an ISO 8601 duration.
const amount = `(\d+(?:[.,]\d+)?)`

var (
	lifetimeForm = regexp.MustCompile(
		`^([+-]?)P(?:` + amount + `W|(?:(\d+)Y)?(?:(\d+)M)?(?:` + amount + `D)?(T(?:` + amount + `H)?(?:` + amount + `M)?(?:` + amount + `S)?)?)$`,
	)
	// momentForm matches ISO 8601 dates and times, which are not durations.
	momentForm = regexp.MustCompile(`^(\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d(:\d\d(\.\d+)?)?)$`)
)

const (
	dayLong = 24 * time.Hour
	// mostYears limits both parts of a lifetime, so that no post expires after the year
	// 9999.
	mostYears = 3900
)

// ParseLifetime parses an ISO 8601 duration; "" means forever.
func ParseLifetime(text string) (Lifetime, error) {
	if text == "" {
		return Lifetime{}, nil
	}
	part := lifetimeForm.FindStringSubmatch(text)
	switch {
	case part == nil && momentForm.MatchString(text), part != nil && part[1] == "-":
		return Lifetime{}, refusal.Invalidf("Unable to parse lifetime `%s` as duration", text)
	case part == nil, part[6] == "T", strings.HasSuffix(text, "P"):
		return Lifetime{}, refusal.Invalidf("Unable to parse lifetime `%s`", text)
	}
	l := Lifetime{given: true}
	number := func(i int) float64 {
		n, _ := strconv.ParseFloat(strings.ReplaceAll(part[i], ",", "."), 64) // 0 if omitted, infinite if too large
		return n
	}
	months := 12*number(3) + number(4)
	var days float64
	var micros int64
	for _, u := range []struct {
		part int
		long time.Duration
	}{{2, 7 * dayLong}, {5, dayLong}, {7, time.Hour}, {8, time.Minute}, {9, time.Second}} {
		// Few fractions are exact in a float, but the nearest microsecond is right: only products of
		// decades and more are off by half of one.
		long := math.Round(number(u.part) * float64(u.long/time.Microsecond))
		days += long / float64(dayLong/time.Microsecond)
		micros += int64(long)
	}
	if months > 12*mostYears || days > 366*mostYears {
		return Lifetime{}, refusal.Invalidf("Unable to parse lifetime `%s`", text)
	}
	l.months = int(months)
	l.days = int(micros / int64(dayLong/time.Microsecond))
	l.rest = time.Duration(micros%int64(dayLong/time.Microsecond)) * time.Microsecond
	return l, nil
}

// From returns when a post published at t expires, or zero if never. The day of the month
// stays the same, or is the last one of a shorter month.
func (l Lifetime) From(t time.Time) time.Time {
	if !l.given {
		return time.Time{}
	}
	t = t.UTC()
	end := t.AddDate(0, l.months, 0)
	if end.Day() != t.Day() {
		end = end.AddDate(0, 0, -end.Day())
	}
	return end.AddDate(0, 0, l.days).Add(l.rest)
}
