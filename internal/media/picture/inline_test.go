package picture

import "testing"

func TestInline(t *testing.T) {
	for text, want := range map[string]string{
		"aGVsbG8=":           "hello",
		"aGVsbG8":            "hello",
		" aGV\r\nsb*G8=\n":   "hello",
		"aGVsbG8=aGVsbG8=":   "hello",
		"=aGVsbG8=":          "hello",
		"aGVsbG8hIQ==":       "hello!!",
		"aGVsbG8hI":          "hello!",
		"":                   "",
		"a":                  "",
		"@@@":                "",
		"/+/+":               "\xff\xef\xfe",
		"no base64, really!": string(Inline("nobase64really")),
	} {
		if got := string(Inline(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
