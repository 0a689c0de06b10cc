package desk_test

import (
	"testing"

	"stoa/internal/desk"
)

// operator 4#4: what a case keeps of somebody else does not name an erased person.
func TestKeptWithoutSomebody(t *testing.T) {
	const noun = `{"Count":12345678901234567890,"Text":"to @ana and @ben","TextTags":[{"Tag":"@ana","UserID":"a1"},{"Tag":"@ben","UserID":"b1"}]}`
	for name, c := range map[string]struct {
		kept, want desk.Kept
		changed    bool
	}{
		"nothing": {},
		"others":  {kept: desk.Kept{Noun: `{"UserID":"b1"}`, Excerpt: "@ana"}, want: desk.Kept{Noun: `{"UserID":"b1"}`, Excerpt: "@ana"}},
		"a mention": {
			kept:    desk.Kept{Noun: noun, Excerpt: "to @ana and"},
			want:    desk.Kept{Noun: `{"Count":12345678901234567890,"Text":"to @… and @ben","TextTags":[{"Tag":"@ben","UserID":"b1"}]}`, Excerpt: "to @… and"},
			changed: true,
		},
		"something else": {kept: desk.Kept{Noun: `{"Reactions":{"a1":"+"}}`, Excerpt: "x"}, changed: true},
		"no JSON":        {kept: desk.Kept{Noun: `a1`, Excerpt: "x"}, changed: true},
	} {
		if got, changed := c.kept.Without("a1"); got != c.want || changed != c.changed {
			t.Errorf("%s: %+v, %t", name, got, changed)
		}
	}
}
