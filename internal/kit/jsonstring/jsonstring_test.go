package jsonstring

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func unquote(t *testing.T, written []byte) (s string) {
	t.Helper()
	if err := json.Unmarshal(written, &s); err != nil {
		t.Fatalf("%v in %s", err, written)
	}
	return s
}

func TestWrittenForm(t *testing.T) {
	for s, want := range map[string]string{
		"":                       `""`,
		"<a href='x'>&</a>":      `"<a href='x'>&</a>"`,
		"\"\\/\b\n\r\t\x00\x7f":  `"\"\\/\u0008\n\r\t\u0000` + "\x7f" + `"`,
		"grüße 🎈 and\xffmore":    `"grüße 🎈 and` + "\ufffd" + `more"`,
		"cut in the middle \xf0": `"cut in the middle ` + "\ufffd" + `"`,
	} {
		if got := string(Append(nil, s)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	plain := "plain text of some length, as most are"
	for at := range 20 {
		for _, c := range []string{"\"", "\\", "\n", "\x1f", "\x7f", "\x80", "é", "\xff", "😀"} {
			f.Add(plain[:at] + c + plain[at:])
		}
	}
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		written := Append(nil, s)
		if again := Append(nil, []byte(s)); string(again) != string(written) {
			t.Errorf("%q is %s as text and %s as bytes", s, written, again)
		}
		if !utf8.Valid(written) {
			t.Fatalf("%q became %q", s, written)
		}
		if got, want := unquote(t, written), strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && got != want {
			t.Errorf("%q became %s, which is %q", s, written, got)
		}
		for i, c := range []byte(s[:plainEnd(s, 0)]) {
			if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
				t.Errorf("%q at %d of %q passes for plain", c, i, s)
			}
		}
		if n := plainEnd(s, 0); n < len(s) && s[n] >= ' ' && s[n] < utf8.RuneSelf && s[n] != '"' && s[n] != '\\' {
			t.Errorf("%q at %d of %q does not pass for plain", s[n], n, s)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	text := "A text of some length, as people write them 🎈 and then go on."
	var dst []byte
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		dst = Append(dst[:0], text)
	}
}
