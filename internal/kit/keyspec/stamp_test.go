package keyspec_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
)

func TestTimeText(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Time{}, ""},
		{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "2026-01-02T03:04:05.000000Z"},
		{time.Date(2026, 1, 2, 3, 4, 5, 500_000_000, time.UTC), "2026-01-02T03:04:05.500000Z"},
		{time.Date(2026, 1, 2, 3, 4, 5, 1_999, time.UTC), "2026-01-02T03:04:05.000001Z"},
		{time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), "2026-01-02T02:04:05.000000Z"},
		{time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), "0001-01-02T00:00:00.000000Z"},
		{time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC), "9999-12-31T23:59:59.999999Z"},
	} {
		text := keyspec.FormatTime(c.at)
		if text != c.want {
			t.Errorf("%v is stored as %q, want %q", c.at, text, c.want)
		}
		if got, err := keyspec.ParseTime(text); err != nil || !got.Equal(c.at.Truncate(time.Microsecond)) {
			t.Errorf("%v is read as %v, %v", c.at, got, err)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Time{
		"":                            {},
		"1970-01-01T00:00:00.000000Z": {}, // a zero time is absent
		"2024-02-29T23:59:59.000001Z": time.Date(2024, 2, 29, 23, 59, 59, 1000, time.UTC),
		"2026-01-02T03:04:05Z":        time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		"2026-01-02T03:04:05.123Z":    time.Date(2026, 1, 2, 3, 4, 5, 123_000_000, time.UTC),
		"2026-01-02T03:04:05+01:00":   time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC),
	} {
		if got, err := keyspec.ParseTime(text); err != nil || !got.Equal(want) {
			t.Errorf("ParseTime(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"yesterday", "2026-01-02", "2023-02-29T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "2026-00-01T00:00:00.000000Z",
		"2026-04-31T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z", "2026-01-01T00:60:00.000000Z", "2026-01-01T00:00:6/.000000Z", "1900-02-29T00:00:00.000000Z",
	} {
		if got, err := keyspec.ParseTime(text); err == nil {
			t.Errorf("ParseTime(%q) = %v, want an error", text, got)
		}
	}
}

// Texts are those of package time in a fixed width, and sort like times.
func TestTextsAgreeWithTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	first := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	last := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).Unix()
	moment := func() time.Time {
		return time.Unix(first+rng.Int64N(last-first), rng.Int64N(1e6)*1000).UTC()
	}
	previous := moment()
	for range 20_000 {
		at := moment()
		text := keyspec.FormatTime(at)
		if want := at.Format("2006-01-02T15:04:05.000000Z"); text != want {
			t.Fatalf("String = %q, want %q", text, want)
		}
		if got, err := keyspec.ParseTime(text); err != nil || !got.Equal(at) {
			t.Fatalf("ParseTime(%q) = %v, %v", text, got, err)
		}
		milli := keyspec.FormatMilli(at)
		if want := at.Format("2006-01-02T15:04:05.000Z"); milli != want {
			t.Fatalf("String = %q, want %q", milli, want)
		}
		if got, err := keyspec.ParseMilli(milli); err != nil || !got.Equal(at.Truncate(time.Millisecond)) {
			t.Fatalf("ParseMilli(%q) = %v, %v", milli, got, err)
		}
		if (text < keyspec.FormatTime(previous)) != at.Before(previous) {
			t.Fatalf("%v and %v sort differently as text", at, previous)
		}
		previous = at
	}
}

func BenchmarkFormatTime(b *testing.B) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	for b.Loop() {
		_ = keyspec.FormatTime(at)
	}
}

func BenchmarkParseTime(b *testing.B) {
	for b.Loop() {
		if _, err := keyspec.ParseTime("2026-01-02T03:04:05.000006Z"); err != nil {
			b.Fatal(err)
		}
	}
}
