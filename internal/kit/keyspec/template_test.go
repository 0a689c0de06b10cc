package keyspec

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func mustTemplate(t *testing.T, text string, strict bool) *template {
	t.Helper()
	parsed, err := parseTemplate(text, "/", maxSortKey)
	if err != nil {
		t.Fatal(err)
	}
	parsed.strict = strict
	return &parsed
}

func TestTemplatesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"":             "empty",
		"a/{b":         "closing brace",
		"a/{}":         "needs a name",
		"a/b}":         "} without {",
		"{a}:{b}":      "must end at",
		"{a}b":         "must end at",
		"x/{a} or ~":   "only a lone slot",
		"x or ~":       "only a lone slot",
		"{a}/{b} or ~": "only a lone slot",
	} {
		if _, err := parseTemplate(text, "/", maxSortKey); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseTemplate(%q) = %v, want an error with %q", text, err, want)
		}
	}
}

// A key built from slots is parsed into the same slots.
func TestBuildAndMatch(t *testing.T) {
	for _, c := range []struct {
		template string
		slots    []string
		want     string
	}{
		{"-", nil, "-"},
		{"user/{id}", []string{"eu-west-1:7"}, "user/eu-west-1:7"},
		{"post/{id}", []string{"a/b"}, "post/a/b"},
		{"{a}", []string{"x"}, "x"},
		{"{status}/{at}", []string{"DONE", "2026"}, "DONE/2026"},
		{"follower/{id}/first", []string{"7"}, "follower/7/first"},
		{"{a} or ~", []string{"x"}, "x"},
		{"{a} or ~", []string{""}, "~"},
	} {
		tm := mustTemplate(t, c.template, false)
		got, present, err := tm.build(len(c.slots), func(i int) string { return c.slots[i] })
		if err != nil || !present || got != c.want {
			t.Errorf("%s of %q = %q, %v, %v, want %q", c.template, c.slots, got, present, err, c.want)
			continue
		}
		slots := make([]string, len(c.slots))
		if !tm.match(got, func(i int, v string) { slots[i] = v }) || !slices.Equal(slots, c.slots) {
			t.Errorf("%s matches %q as %q, want %q", c.template, got, slots, c.slots)
		}
	}
}

func TestSlotsThatNoKeyCanHold(t *testing.T) {
	for _, c := range []struct {
		template string
		strict   bool
		slots    []string
		slot     string
	}{
		{"{a}/{b}", false, []string{"x/y", "z"}, "a"},
		{"f/{a}/first", false, []string{"x/y"}, "a"},
		{"f/{a}", true, []string{"x/y"}, "a"},
		{"{a}", false, []string{strings.Repeat("x", maxSortKey+1)}, "a"},
	} {
		_, _, err := mustTemplate(t, c.template, c.strict).build(len(c.slots), func(i int) string { return c.slots[i] })
		var bad *SlotError
		if !errors.As(err, &bad) || bad.Slot != c.slot {
			t.Errorf("%s of %.20q: %v, want a SlotError on %s", c.template, c.slots, err, c.slot)
		}
	}
	if _, present, err := mustTemplate(t, "{a}/{b}", false).build(2, func(i int) string { return "x"[:1-i] }); present || err != nil {
		t.Errorf("a key without one of its slots: present %v, %v, want absent", present, err)
	}
}

func TestPrefixes(t *testing.T) {
	tm := mustTemplate(t, "s/{status}/{at}", false)
	for n, want := range map[int]string{0: "s/", 1: "s/DENIED/", 2: "s/DENIED/2026"} {
		got, present, err := tm.build(n, func(i int) string { return []string{"DENIED", "2026"}[i] })
		if got != want || !present || err != nil {
			t.Errorf("prefix of %d slots = %q, %v, %v, want %q", n, got, present, err, want)
		}
	}
}

func TestKeysOfOtherTemplatesDoNotMatch(t *testing.T) {
	for _, c := range []struct {
		template, text string
		strict         bool
	}{
		{"-", "x", false},
		{"user/{id}", "post/7", false},
		{"user/{id}", "user/", false},
		{"{a}/{b}", "x", false},
		{"f/{a}/first", "f/x", false},
		{"f/{a}/first", "f/x/firstly", false},
		{"f/{a}", "f/x/first", true},
	} {
		if mustTemplate(t, c.template, c.strict).match(c.text, ignore) {
			t.Errorf("%s matches %q", c.template, c.text)
		}
	}
}

func TestCollide(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		strict bool
		want   bool
	}{
		{"-", "-", false, true},
		{"chat", "chatMessage", false, false},
		{"user/{id}", "user/{name}", false, true},
		{"user/{id}", "userEmail/{name}", false, false},
		{"user/{id}", "user/trending", false, true},
		{"f/{a}", "f/{a}/first", false, true},
		{"f/{a}", "f/{a}/first", true, false},
		{"{a}/{b}", "{c}", false, true},
		{"{a}/{b}", "{c}", true, false},
		{"{a}/{b}", "x/y/z", false, true},
		{"{a}/y", "{b}/z", false, false},
		{"{a} or ~", "~", false, true},
		{"{a} or ~", "x", false, true},
		{"a/{b}/c/{d}", "a/{b}/x/{d}", false, false},
	} {
		a, b := mustTemplate(t, c.a, c.strict), mustTemplate(t, c.b, c.strict)
		if got := collide(a, b); got != c.want {
			t.Errorf("collide(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
		if got := collide(b, a); got != c.want {
			t.Errorf("collide(%q, %q) = %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

func TestPrefixFinds(t *testing.T) {
	for _, c := range []struct {
		query, other string
		want         bool
	}{
		{"chat", "chatMessage", false},
		{"flag/{u}", "flag/{u}", true},
		{"f/{a}", "f/{a}/first", true},
		{"f/{a}/first", "f/{a}", true},
		{"{at}", "card/{at}", true},
		{"card/{at}", "{at}", true},
		{"card/{at}", "chat/{at}", false},
	} {
		if got := prefixFinds(mustTemplate(t, c.query, false), mustTemplate(t, c.other, false)); got != c.want {
			t.Errorf("prefixFinds(%q, %q) = %v, want %v", c.query, c.other, got, c.want)
		}
	}
}
