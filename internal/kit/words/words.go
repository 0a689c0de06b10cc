// Package words splits text into words for search.
//
// Word boundaries are those of Unicode (UAX #29), so `_` and a dot within a word do not
// split it. Anything without a letter or a digit is not a word. Words are folded:
// full-width and other compatibility forms become plain ones, and upper case becomes lower
// case. Accents are kept.
package words

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// Split returns the words of a text in order, including repetitions.
func Split(text string) []string {
	var found []string
	for rest, state := Fold(text), -1; rest != ""; {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		if strings.ContainsFunc(word, isWordy) {
			found = append(found, word)
		}
	}
	return found
}

// Fold returns a text in the form used for comparison. It is idempotent.
func Fold(text string) string {
	// Characters next to invalid bytes are not normalized.
	valid := strings.ToValidUTF8(text, "\uFFFD")
	return norm.NFKC.String(strings.ToLower(norm.NFKC.String(valid)))
}

func isWordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
