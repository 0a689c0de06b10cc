package idempotency_test

import (
	"strings"
	"testing"

	"stoa/internal/idempotency"
)

func TestParseKey(t *testing.T) {
	most := strings.Repeat("k", 255)
	for _, test := range []struct{ value, want, err string }{
		{value: `"8e03978e-40d5"`, want: "8e03978e-40d5"},
		{value: `8e03978e-40d5`, want: "8e03978e-40d5"},
		{value: `a b/c:d`, want: "a b/c:d"},
		{value: most, want: most},
		{value: `"` + most + `"`, want: most},
		{value: most + "k", err: "has 256 bytes, the limit is 255"},
		{value: ``, err: "is empty"},
		{value: `""`, err: "is empty"},
		{value: `"`, err: "does not end with one"},
		{value: `"a`, err: "does not end with one"},
		{value: `a"`, err: "may contain printable ASCII"},
		{value: "a\tb", err: "may contain printable ASCII"},
		{value: "ä", err: "may contain printable ASCII"},
		{value: `a\b`, err: "may contain printable ASCII"},
	} {
		got, err := idempotency.ParseKey(test.value)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: %q, %v; want %q, %s", test.value, got, err, test.want, test.err)
		}
	}
}
