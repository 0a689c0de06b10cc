package communities

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"

	"stoa/internal/kit/input"
)

// Unique names must not only differ, but look different (Unicode Technical Standard 39). A
// name has no invisible characters, and each of its words is of one script or of scripts
// that are written together. Names of one script that look like those of another, such as
// Cyrillic and Latin "асе", are told apart by Looks.

// invisible contains the characters that cannot be seen: format characters, including those
// that control the direction of the text around them, those that Unicode calls default
// ignorable, and the blank pattern of Braille.
var invisible = []*unicode.RangeTable{
	unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, {R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}}},
}

// writtenTogether lists the scripts whose letters may be mixed in a word, in addition to
// words of one script: the highly restrictive level of Unicode Technical Standard 39.
var writtenTogether = [][]string{{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"}}

// checkLooks refuses a name with invisible characters, and one with letters of scripts that
// do not belong together.
func checkLooks(what, name string) error {
	for _, r := range name {
		if unicode.In(r, invisible...) {
			return badInput("INVALID_NAME", "The %s contains the invisible character %U: remove it", what, r)
		}
	}
	for word := range strings.FieldsSeq(norm.NFKC.String(name)) {
		scripts := scriptsOf(word)
		together := len(scripts) < 2 || slices.ContainsFunc(writtenTogether, func(some []string) bool {
			return !slices.ContainsFunc(scripts, func(s string) bool { return !slices.Contains(some, s) })
		})
		if !together {
			return badInput("INVALID_NAME", "A word of the %s mixes %s letters: use those of one script", what, strings.Join(scripts, " and "))
		}
	}
	return nil
}

// checkDisplayed refuses a name, not necessarily unique, that is of invalid length or
// controls the direction of the text around it. It may have other invisible characters,
// which emoji and some languages need.
func checkDisplayed(what, name string, most int) error {
	if err := input.Length(what, strings.TrimSpace(name), 1, most); err != nil {
		return err
	}
	for _, r := range name {
		if unicode.Is(unicode.Bidi_Control, r) {
			return badInput("INVALID_NAME", "The %s contains the invisible character %U: remove it", what, r)
		}
	}
	return nil
}

// scriptsOf returns the names of the scripts of a text, sorted, without characters that many
// scripts share.
func scriptsOf(text string) []string {
	var scripts []string
	for _, r := range text {
		s := scriptOf(r)
		if i, found := slices.BinarySearch(scripts, s); s != "" && !found {
			scripts = slices.Insert(scripts, i, s)
		}
	}
	return scripts
}

func scriptOf(r rune) string {
	if r < utf8.RuneSelf {
		if unicode.IsLetter(r) {
			return "Latin"
		}
		return ""
	}
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return ""
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// Looks returns the names that a name looks like, in the form of Fold and without the name
// itself. Two names look alike if one is among the looks of the other, or they have a look in
// common. Latin letters and digits of ASCII look like themselves only: nobody is refused
// because "user1" looks like "userl".
func Looks(name string) []string {
	folded := Fold(name)
	var looks []string
	for _, text := range []string{norm.NFKC.String(strings.ToValidUTF8(name, "\uFFFD")), folded} { // letters of both cases
		look := Fold(prototypes(text))
		if look = strings.ToValidUTF8(look[:min(len(look), maxSought)], ""); look != folded && !slices.Contains(looks, look) {
			looks = append(looks, look)
		}
	}
	return looks
}

// prototypes replaces the characters of a text, except those of ASCII, by those that they
// look like.
func prototypes(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteString(confusables.Skeleton(string(r)))
		}
	}
	return b.String()
}
