package graph

import (
	"strings"
	"testing"
	"time"
)

// realtime 13#1-9: which values each scalar takes.
func TestScalarsAcceptAndRefuse(t *testing.T) {
	readers := map[string]func(any) error{
		"AWSDate":      func(v any) error { _, err := UnmarshalAWSDate(v); return err },
		"AWSTime":      func(v any) error { _, err := UnmarshalAWSTime(v); return err },
		"AWSDateTime":  func(v any) error { _, err := UnmarshalAWSDateTime(v); return err },
		"AWSTimestamp": func(v any) error { _, err := UnmarshalAWSTimestamp(v); return err },
		"AWSEmail":     func(v any) error { _, err := UnmarshalAWSEmail(v); return err },
		"AWSJSON":      func(v any) error { _, err := UnmarshalAWSJSON(v); return err },
		"AWSPhone":     func(v any) error { _, err := UnmarshalAWSPhone(v); return err },
		"AWSURL":       func(v any) error { _, err := UnmarshalAWSURL(v); return err },
		"AWSIPAddress": func(v any) error { _, err := UnmarshalAWSIPAddress(v); return err },
	}
	for _, c := range []struct {
		scalar string
		good   []any
		bad    []any
	}{
		{"AWSDate",
			[]any{"1970-01-01", "1970-01-01Z", "1970-01-01-07:00", "1970-01-01+05:30", "-2017-05-01", "2020-02-29"},
			[]any{"1970-1-1", "2020-13-01", "2021-02-29", "1970-01-01T00:00Z", "", 19700101, nil}},
		{"AWSTime",
			[]any{"12:30", "12:30Z", "12:30:24", "12:30:24.500+05:30", "23:59:59.999999999"},
			[]any{"12", "24:30:00", "12:30:24.", "12:30.5", "12:60", 12}},
		{"AWSDateTime",
			[]any{"1970-01-01T12:00Z", "1970-01-01T12:00:00.2Z", "1970-01-01T12:00:00.123456789-07:00", "2020-06-09T01:02:03.123456Z"},
			[]any{"1970-01-01T12:00", "1970-01-01 12:00:00Z", "1970-01-32T12:00Z", "1970-01-01", "now", 0}},
		{"AWSTimestamp",
			[]any{int64(1577836800), int64(-1), 0, float64(12)},
			[]any{"1577836800", 1.5, nil, true}},
		{"AWSEmail",
			[]any{"a.b+c@example.com", "Ann@Example.com", "a@localhost"},
			[]any{"example.com", "@example.com", "a@", "Ann <a@example.com>", "a b@example.com", "", 1}},
		{"AWSJSON",
			[]any{`{"a":1}`, `[1]`, `2`, `"x"`, `null`},
			[]any{`{a: 1}`, `unquoted`, ``, 2}},
		{"AWSPhone",
			[]any{"+12025550123", "202-555-0123", "+44 20 7946 0958", "2025550123"},
			[]any{"12x", "call me", "+", "+123", "12345", "+1234567890123456", "202--555-0123", 2025550123}},
		{"AWSURL",
			[]any{"https://example.com/a/b", "http://x.y:80/", "mailto:a@example.com"},
			[]any{"example.com/a", "/a", "https://example.com/a//b", "https://", "", 1}},
		{"AWSIPAddress",
			[]any{"123.12.34.56", "1a2b:3c4b::1234:4567", "123.45.67.89/16", "::1/64"},
			[]any{"example.com", "[::1]", "1.2.3", "1.2.3.4/33", 1}},
	} {
		for _, v := range c.good {
			if err := readers[c.scalar](v); err != nil {
				t.Errorf("%s refuses %v: %v", c.scalar, v, err)
			}
		}
		for _, v := range c.bad {
			if err := readers[c.scalar](v); err == nil {
				t.Errorf("%s accepts %v", c.scalar, v)
			} else if !strings.Contains(err.Error(), c.scalar) {
				t.Errorf("%s: error %q does not name the scalar", c.scalar, err)
			}
		}
	}
}

// chats 0.4#1 and realtime 13#11,13: a time is shown in UTC, cut to three digits of a
// second.
func TestAWSDateTimeIsOneInstantInOneWidth(t *testing.T) {
	for in, want := range map[string]string{
		"1970-01-01T12:00Z":                   `"1970-01-01T12:00:00.000Z"`,
		"1970-01-01T12:00:00.2Z":              `"1970-01-01T12:00:00.200Z"`,
		"1970-01-01T12:00:00.123456789-07:00": `"1970-01-01T19:00:00.123Z"`,
		"1970-01-01T23:59:59.999999Z":         `"1970-01-01T23:59:59.999Z"`,
		"2020-01-01T00:30:00+05:30":           `"2019-12-31T19:00:00.000Z"`,
	} {
		instant, err := UnmarshalAWSDateTime(in)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		MarshalAWSDateTime(instant.In(time.FixedZone("", 3600))).MarshalGQL(&out)
		if out.String() != want {
			t.Errorf("%s comes out as %s, want %s", in, out.String(), want)
		}
	}
}
