package expr

import (
	"slices"
	"testing"
)

func TestProjections(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"s", "{s:'str'}"},
		{"s,n", "{n:5 s:'str'}"},
		{"#s", "{s:'str'}"},
		{"m", "{m:{a:{b:1} l:[]}}"},
		{"m.a.b, m.l", "{m:{a:{b:1} l:[]}}"},
		{"m.#a.b", "{m:{a:{b:1}}}"},
		{"l[0]", "{l:['x']}"},
		{"l[0], l[2]", "{l:['x' {a:1}]}"},
		{"l[2], l[0]", "{l:['x' {a:1}]}"},
		{"l[2].a, l[1]", "{l:[1 {a:1}]}"},
		{"m.a.b, l[2].a, l[1]", "{l:[1 {a:1}] m:{a:{b:1}}}"},
		{"l[5]", "{}"},
		{"nope", "{}"},
		{"nope.x, s", "{s:'str'}"},
		{"s.x, l.a, m[0]", "{}"},
		{"m.l[0], s", "{s:'str'}"},
		{"l[1].x, l[2].a", "{l:[{a:1}]}"},
	} {
		if got := showItem(compile(t, projectionKind, c.text).Project(item(example))); got != c.want {
			t.Errorf("%s gives %s, want %s", c.text, got, c.want)
		}
	}
	if got := showItem(compile(t, filterKind, "n = :n").Project(item("{a:1}"))); got != "{a:1}" {
		t.Errorf("without a projection there is %s", got)
	}
}

func TestProjectedNames(t *testing.T) {
	for text, want := range map[string][]string{
		"s":                     {"s"},
		"m.a, n, m.l[0], #s":    {"m", "n", "s"},
		"l[1], l[0], #dot, a.b": {"a", "l", "x.y"},
	} {
		if got := compile(t, projectionKind, text).ProjectedNames(); !slices.Equal(got, want) {
			t.Errorf("%s reads %v", text, got)
		}
	}
	if got := compile(t, filterKind, "n = :n").ProjectedNames(); got != nil {
		t.Errorf("without a projection only %v is read", got)
	}
}
