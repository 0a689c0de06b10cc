package messaging

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzHeads searches for heads of messages that are expensive to check, and for heads that
// are read otherwise once they are stored.
func FuzzHeads(f *testing.F) {
	for _, text := range []string{
		`{"replace":":1","mime":"text/x-drafty"}`, `{"reply":"grpAbc:7"}`, `{"sender":"usrX","a":[1,{"b":null}]}`, `[]`, `{`, `{"replace":1e400}`, "",
		`{"replace":":` + strings.Repeat("9", hostile.Size), strings.Repeat("[", hostile.Size), `{"a":` + strings.Repeat(`{"a":`, hostile.Size/6),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			head, err := ParseHead(JSON(text), "grpAbc", "usrAda")
			if err != nil {
				return
			}
			again, err := ParseHead(head, "grpAbc", "usrAda")
			if err != nil || again != head {
				t.Errorf("%q is stored as %q, which is then %q, %v", text, head, again, err)
			}
		})
	})
}
