package graph

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzScalars searches for strings that are slow to parse as a scalar.
func FuzzScalars(f *testing.F) {
	readers := map[string]func(any) error{
		"AWSDate":      func(v any) error { _, err := UnmarshalAWSDate(v); return err },
		"AWSTime":      func(v any) error { _, err := UnmarshalAWSTime(v); return err },
		"AWSDateTime":  func(v any) error { _, err := UnmarshalAWSDateTime(v); return err },
		"AWSEmail":     func(v any) error { _, err := UnmarshalAWSEmail(v); return err },
		"AWSJSON":      func(v any) error { _, err := UnmarshalAWSJSON(v); return err },
		"AWSPhone":     func(v any) error { _, err := UnmarshalAWSPhone(v); return err },
		"AWSURL":       func(v any) error { _, err := UnmarshalAWSURL(v); return err },
		"AWSIPAddress": func(v any) error { _, err := UnmarshalAWSIPAddress(v); return err },
	}
	for _, unit := range []string{
		"1", "12", "1-", "1 ", ":", "a", "a@b.", "a.", "@", "(", ")", "<", `"`, `\`, "((a)", `"a" `, ",", "[", "{", `{"a":`, "%41", "%", "/", "1.2.", "::", "0000:", "é",
		"=?utf-8?q?", "=?utf-8?b?YQ==?= ",
	} {
		f.Add(strings.Repeat(unit, hostile.Size/len(unit)))
	}
	for _, text := range []string{"2026-01-02T03:04:05.678Z", "2026-01-02+01:00", "ana@example.com", "+12025550123", "https://a.example/b?c=d#e", "10.0.0.0/8", "fe80::1%eth0",
		`{"a":[1,2.5e9,"\u00e9"]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, read := range readers {
			if len(text) <= hostile.Size {
				if took := hostile.Cost(func() { read(text) }); took > hostile.Longest {
					t.Errorf("%s: %d bytes, %.100q, take %v", name, len(text), text, took)
				}
			}
		}
	})
}
