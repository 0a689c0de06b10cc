package social

import (
	"strings"
	"testing"
	"time"
)

func TestParseLifetime(t *testing.T) {
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	for _, c := range []struct{ from, text, to string }{
		{"2026-03-01T12:00:00Z", "P1D", "2026-03-02T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "P7D", "2026-03-08T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "P2W", "2026-03-15T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "PT1H", "2026-03-01T13:00:00Z"},
		{"2026-03-01T12:00:00Z", "PT0.001S", "2026-03-01T12:00:00.001Z"},
		{"2026-03-01T12:00:00Z", "PT0,000001S", "2026-03-01T12:00:00.000001Z"},
		{"2026-03-01T12:00:00Z", "PT1.001S", "2026-03-01T12:00:01.001Z"},
		{"2026-03-01T12:00:00Z", "PT0.000249S", "2026-03-01T12:00:00.000249Z"},
		{"2026-03-01T12:00:00Z", "PT0.29H", "2026-03-01T12:17:24Z"},
		{"2026-03-01T12:00:00Z", "P0.7D", "2026-03-02T04:48:00Z"},
		{"2026-03-01T12:00:00Z", "P400000DT0.000001S", "3121-04-30T12:00:00.000001Z"},
		{"2026-03-01T12:00:00Z", "P1Y2M3DT4H5M6S", "2027-05-04T16:05:06Z"},
		{"2026-03-01T12:00:00Z", "+P0.5D", "2026-03-02T00:00:00Z"},
		{"2026-01-31T12:00:00Z", "P1M", "2026-02-28T12:00:00Z"},
		{"2028-01-31T12:00:00Z", "P1M", "2028-02-29T12:00:00Z"},
		{"2028-02-29T12:00:00Z", "P1Y", "2029-02-28T12:00:00Z"},
		{"2026-01-31T12:00:00Z", "P2M", "2026-03-31T12:00:00Z"},
		{"2026-10-31T12:00:00Z", "P13M1D", "2027-12-01T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "P3900Y", "5926-03-01T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "P400000D", "3121-04-30T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "P0D", "2026-03-01T12:00:00Z"},
		{"2026-03-01T12:00:00Z", "PT0.0000001S", "2026-03-01T12:00:00Z"},
	} {
		l, err := ParseLifetime(c.text)
		if got := l.From(at(c.from)); err != nil || !got.Equal(at(c.to)) {
			t.Errorf("%s from %s ends %v, %v, want %s", c.text, c.from, got, err, c.to)
		}
	}
	if l, err := ParseLifetime(""); err != nil || !l.From(noon).IsZero() {
		t.Errorf("without a lifetime: %v, %v", l, err)
	}
	huge := strings.Repeat("9", 400) // more than a float can be
	for text, want := range map[string]string{
		"P" + huge + "D": "", "P" + huge + "Y": "", "P1DT" + huge + "H": "", "P" + huge + "DT1H": "",
		"day": "", "P": "", "PT": "", "P1DT": "", "1D": "", "P1S": "", "P1.5M": "", "P1W2D": "", "P3901Y": "", "P9999999D": "", "P1D ": "", "-": "", "P-1D": "",
		"-P1D": " as duration", "-PT1S": " as duration", "2026-03-01": " as duration", "2026-03-01T12:00:00Z": " as duration", "12:00": " as duration",
	} {
		_, err := ParseLifetime(text)
		wantRefusal(t, text, err, "Unable to parse lifetime `"+text+"`"+want)
	}
}

// The lifetime is parsed before everything else, and checked after everything but the
// album.
func TestNewPostChecksItsLifetime(t *testing.T) {
	_, err := ParseLifetime("x")
	wantRefusal(t, "unreadable", NewPost{PostID: "p", Type: TextOnly, Lifetime: "x"}.Check(), err.Error())
	n := NewPost{PostID: "p", Type: TextOnly, Text: "x", Lifetime: "P0D", AlbumID: "gone"}
	wantRefusal(t, "none at all", n.Check(), "")
	wantRefusal(t, "none at all", n.CheckLifetime(n.Post(&User{UserID: "ana"}, noon, nil)), "Refusing to add post `p` for user `ana` with non-positive lifetime")
	n.Lifetime = strings.Replace(n.Lifetime, "0", "1", 1)
	if p := n.Post(&User{UserID: "ana"}, noon, nil); n.CheckLifetime(p) != nil || p.ExpiresAt != noon.Add(24*time.Hour) {
		t.Errorf("a day: %v", p.ExpiresAt)
	}
}
