// Package words splits text into the words that a search compares.
//
// Words end where Unicode says that words end (UAX #29), so that `_` and a dot within a
// word do not split it, and anything without a letter or a digit is no word. They are
// folded: full-width and other compatibility forms become plain ones, and upper case
// becomes lower. Accents stay.
package words

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// Split returns the words of a text in their order, each as often as it occurs.
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

// Fold returns a text in the form in which it is compared. Folding twice changes
// nothing more.
func Fold(text string) string {
	folded := norm.NFKC.String(strings.ToLower(norm.NFKC.String(text)))
	return strings.ToValidUTF8(folded, "\uFFFD")
}

func isWordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
