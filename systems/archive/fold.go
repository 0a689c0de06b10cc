package archive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which names, prefixes and search texts are compared: trimmed, in
// lower case and without diacritical marks. It is composed, since the parts of Hangul
// syllables are not marks and would take three times as much space in a key.
func Fold(text string) string { return norm.NFC.String(unmarked(strings.TrimSpace(text))) }

// unmarked returns a text in lower case without diacritical marks.
func unmarked(text string) string {
	if isPlain(text) {
		return text
	}
	text = norm.NFD.String(strings.ToLower(text))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
}

// isPlain reports whether folding leaves a text unchanged.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// foldHeader returns the form in which headers of files are compared, without any white
// space.
func foldHeader(text string) string { return strings.Join(strings.Fields(Fold(text)), "") }

// token returns a name as a place word, with letters and digits only.
func token(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, Fold(text))
}

// lower returns a text in the form used in keys of places.
func lower(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// HasPrefix reports whether a name starts with a folded text.
func HasPrefix(name, prefix string) bool { return strings.HasPrefix(Fold(name), prefix) }
