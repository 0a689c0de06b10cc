package communities

import (
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/refusal"
)

// communities 8#usernames: what cannot be seen is not in a name, nor are letters of scripts that are not
// written together.
func TestNamesThatLookLikeOthers(t *testing.T) {
	for _, name := range []string{
		"root\u200b", "\u2060root", "ro\u00adot", "root\ufe0f", "\u202eroot", "ro\u2066ot\u2069", "root\u200f", "root\u061c", "ro\u034fot", "root\u3164", "root\uffa0",
		"root\u2800", "root\ufeff", "root\U000e0041", "root\u180e",
		"rооt", "pаypal", "рaypal", "αdmin", "аdmin", "gооgle", "scоpе", "ａdmіn", "ꭺdmin", "admіn1", "раураl", "καlm",
	} {
		if err := CheckUsername(name); refusal.KindOf(err) != refusal.BadInput || !strings.Contains(err.Error(), "username") {
			t.Errorf("username %q: %v", name, err)
		}
		if err := CheckCommunityName("The " + name); err == nil {
			t.Errorf("a community is called %q", "The "+name)
		}
	}
	for _, name := range []string{
		"root", "Ａｎｎ", "Zoë", "Łukasz", "İpek", "Иван", "Ελένη", "דוד", "محمد", "東京タワー", "さくらchan", "김minsu", "ㄅㄆabc",
		"नमस्ते", "ann_1", "x😀", "ǅ", "Ⅳ", "e\u0301",
	} {
		if err := CheckUsername(name); err != nil {
			t.Errorf("username %q: %v", name, err)
		}
	}
	if err := CheckCommunityName("PTSD Москва"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"Ann \u202eevil", "\u2067Ann"} {
		if CheckName(name) == nil || CheckChatName(name) == nil {
			t.Errorf("somebody, or a chat, is called %q", name)
		}
	}
	for _, name := range []string{"👩\u200d👧 Ann", "می\u200cخواهم", "❤\ufe0f"} { // they need what cannot be seen
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLooks(t *testing.T) {
	alike := func(a, b string) bool {
		x, y := append(Looks(a), Fold(a)), append(Looks(b), Fold(b))
		return slices.ContainsFunc(x, func(s string) bool { return slices.Contains(y, s) })
	}
	for _, pair := range [][2]string{
		{"асе", "ace"}, {"АСЕ", "ace"}, {"ΑΒΕ", "abe"}, {"ѕсоре", "scope"}, {"ορο", "оро"}, {"ᎪᏟᎬ", "Ace"}, {"ѕсоре", "ЅСОРЕ"},
	} {
		if !alike(pair[0], pair[1]) || !alike(pair[1], pair[0]) {
			t.Errorf("%q does not look like %q, but like %q and %q", pair[0], pair[1], Looks(pair[0]), Looks(pair[1]))
		}
	}
	for _, pair := range [][2]string{{"user1", "userl"}, {"modern", "modem"}, {"paul0", "paulo"}, {"Иван", "Mban"}, {"é", "e"}, {"中", "屮"}} {
		if alike(pair[0], pair[1]) {
			t.Errorf("%q looks like %q", pair[0], pair[1])
		}
	}
	for _, name := range []string{"root", "Ann_1", "O'Neil|", "p/q"} {
		if looks := Looks(name); looks != nil {
			t.Errorf("%q looks like %q", name, looks)
		}
	}
	for _, name := range []string{strings.Repeat("\ufdfa", 32), strings.Repeat("㏒", 64), "\xff\xfe", strings.Repeat("🅭", 64)} {
		for _, look := range Looks(name) {
			if len(look) > maxSought {
				t.Errorf("%.20q looks like %d bytes", name, len(look))
			}
		}
	}
}
