package words_test

import (
	"slices"
	"testing"

	"stoa/internal/kit/words"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		" \t\n":                   nil,
		"Ana Maria":               {"ana", "maria"},
		"ana ANA Ana":             {"ana", "ana", "ana"},
		"ana_maria":               {"ana_maria"},
		"_ana_":                   {"_ana_"},
		"ana.maria":               {"ana.maria"},
		"ana.maria.":              {"ana.maria"},
		".ana..maria":             {"ana", "maria"},
		"1.5 v2.0":                {"1.5", "v2.0"},
		"o'brien-smith":           {"o'brien", "smith"},
		"ana+ben/cem":             {"ana", "ben", "cem"},
		`+ * / \ " ? - _ . '`:     nil,
		"__ ..":                   nil,
		"a*b?":                    {"a", "b"},
		"ＡＮＡ":                     {"ana"}, // full width
		"ﬁnn":                     {"finn"},
		"ZOË Zoe\u0308":           {"zoë", "zoë"}, // composed and decomposed
		"ΑΘΗΝΑ":                   {"αθηνα"},
		"Straße":                  {"straße"},
		"東京":                      {"東", "京"},
		"Ⅻ":                       {"xii"},
		"😀":                       nil,
		"red\u00a0shirt":          {"red", "shirt"},
		"red\nshirt":              {"red", "shirt"},
		"bad\xffbyte":             {"bad", "byte"},
		"__.0009A_...":            {"0009a_"},
		"us-east-1:0e9c mail@a.b": {"us", "east", "1", "0e9c", "mail", "a.b"},
	} {
		if got := words.Split(text); !slices.Equal(got, want) {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

// FuzzFold looks for texts that change when folded twice: their words could be stored but
// not found.
func FuzzFold(f *testing.F) {
	for _, text := range []string{"ＡİΣς", "ǅ", "K", "ﬁ", "\u0345\u03b1", "A\xff", "ϓ", "ẛ̣", "\xf7ϔ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := words.Fold(text)
		if twice := words.Fold(once); twice != once {
			t.Fatalf("%q folds to %q and that to %q", text, once, twice)
		}
		for _, word := range words.Split(text) {
			if again := words.Split(word); len(again) != 1 || again[0] != word {
				t.Fatalf("the word %q of %q has the words %q", word, text, again)
			}
		}
	})
}
