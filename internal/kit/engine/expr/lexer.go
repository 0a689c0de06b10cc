package expr

import "unicode/utf8"

// tokenKind is the kind of a token; symbols and keywords are distinguished by their text.
type tokenKind uint8

const (
	endOfText tokenKind = iota
	identifier
	namePlaceholder
	valuePlaceholder
	number
	symbol
	keyword
)

// token is a piece of the expression from start to end, in bytes.
type token struct {
	kind       tokenKind
	start, end int
	text       string
}

// lexer splits an expression into tokens. It refuses nothing: an invalid character becomes
// a symbol, which no rule of the grammar expects.
type lexer struct {
	text string
	pos  int
}

// keywords are the same in all kinds of expressions, in any case: none of them can
// be an attribute name without a placeholder.
var keywords = []string{"AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"}

func (l *lexer) next() token {
	for l.pos < len(l.text) && isSpace(l.text[l.pos]) {
		l.pos++
	}
	start := l.pos
	if start == len(l.text) {
		return token{kind: endOfText, start: start, end: start, text: "<EOF>"}
	}
	kind, end := l.scan(start)
	l.pos = end
	text := l.text[start:end]
	if kind == identifier {
		for _, k := range keywords {
			if equalFold(text, k) {
				return token{kind: keyword, start: start, end: end, text: k}
			}
		}
	}
	return token{kind: kind, start: start, end: end, text: text}
}

// scan returns the kind and the end of the token at start.
func (l *lexer) scan(start int) (tokenKind, int) {
	switch c := l.text[start]; {
	case isLetter(c):
		return identifier, l.word(start)
	case c == '#' || c == ':':
		end := l.word(start + 1)
		switch {
		case end == start+1:
			return symbol, end
		case c == '#':
			return namePlaceholder, end
		default:
			return valuePlaceholder, end
		}
	case c == '0':
		return number, start + 1
	case isDigit(c):
		end := start + 1
		for end < len(l.text) && isDigit(l.text[end]) {
			end++
		}
		return number, end
	case c == '<' && l.at(start+1, "=>"), c == '>' && l.at(start+1, "="):
		return symbol, start + 2
	case c == '\'' || c == '"':
		return symbol, l.quoted(start)
	default:
		_, size := utf8.DecodeRuneInString(l.text[start:])
		return symbol, start + size
	}
}

// word returns the end of the letters, digits and underscores from pos on.
func (l *lexer) word(pos int) int {
	for pos < len(l.text) && isWord(l.text[pos]) {
		pos++
	}
	return pos
}

// quoted returns the end of a quoted literal, so that an error shows all of it; a quote
// without its partner is a token by itself.
func (l *lexer) quoted(start int) int {
	for end := start + 1; end < len(l.text); end++ {
		if l.text[end] == l.text[start] {
			return end + 1
		}
	}
	return start + 1
}

// at reports whether the byte at pos is one of those in set.
func (l *lexer) at(pos int, set string) bool {
	if pos >= len(l.text) {
		return false
	}
	for i := range len(set) {
		if l.text[pos] == set[i] {
			return true
		}
	}
	return false
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }

// equalFold compares an ASCII word with one in upper case.
func equalFold(word, upper string) bool {
	if len(word) != len(upper) {
		return false
	}
	for i := range len(word) {
		if word[i]&^0x20 != upper[i] {
			return false
		}
	}
	return true
}
