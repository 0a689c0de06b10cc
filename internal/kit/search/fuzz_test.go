package search

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
	"stoa/internal/kit/keyspec"
)

// FuzzTexts looks for texts that are slow to index or to search for.
func FuzzTexts(f *testing.F) {
	for _, unit := range []string{"a", "ab ", "a'", "\u0300", "a\u0300", "\u200d", "\uFDFA", "\uFDFA ", "⨌", "1,", "🇩", "👩\u200d", "\u1100", "ﬁ", ".", "_", "\xff", "|",
		"| a |"} {
		f.Add(strings.Repeat(unit, hostile.Size/len(unit)))
		f.Add("a'" + strings.Repeat(unit, hostile.Size/len(unit)-2))
	}
	index := Define(&keyspec.Table{Name: "ops", PK: "pk", SK: "sk"}).Index(Kind{Name: "thing", Fields: []Field{
		{Name: "name", Weight: 1, Pairs: true}, {Name: "keywords", Weight: 1, Values: true},
	}})
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() { patternOf(text) })
		hostile.Check(t, text, func() {
			rows := index.rows(&Document{ID: "1", Fields: [][]string{{text}, strings.Split(text, "|")}})
			if len(rows) > MaxRows {
				t.Errorf("%d rows", len(rows))
			}
		})
	})
}
