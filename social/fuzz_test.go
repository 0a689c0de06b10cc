package social_test

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
	"stoa/social"
)

// FuzzTexts searches for texts that are expensive to process as any user input.
func FuzzTexts(f *testing.F) {
	for _, unit := range []string{"@", "@ab", "@abc ", "@abc", "a", " ", "fuck", "1", "P", "1.", "1D", "T1H", "é", "İ", "\u0300", "-", ":"} {
		f.Add(strings.Repeat(unit, hostile.Size/len(unit)))
		f.Add("P" + strings.Repeat(unit, hostile.Size/len(unit)-2))
	}
	words := social.NewBadWords(social.DefaultBadWords)
	reserved := social.ReservedUsernames{"admin", "support"}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() { social.Mentions(text) })
		hostile.Check(t, text, func() { words.In(text) })
		hostile.Check(t, text, func() { social.ParseLifetime(text) })
		hostile.Check(t, text, func() { social.CheckUsername(text); reserved.Has(text) })
		if mentions := social.Mentions(text); len(mentions) > social.MaxMentions {
			t.Errorf("%d mentions", len(mentions))
		}
	})
}
