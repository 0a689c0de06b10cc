package wire

import (
	"unicode/utf8"

	"stoa/internal/kit/jsonstring"
)

// maxNesting is the maximum nesting of arrays and objects, far beyond that of any valid
// request.
const maxNesting = 10000

// isJSON reports whether text is exactly one JSON value in UTF-8. It is equivalent to
// encoding/json but much faster, and refuses escapes of single surrogates, which
// encoding/json replaces: the stored text would differ from the one sent.
func isJSON(text []byte) bool {
	s := scanner{text: text}
	s.blanks()
	if !s.value(0) {
		return false
	}
	s.blanks()
	return s.pos == len(text) && utf8.Valid(text)
}

// scanner advances over a text as far as it is JSON.
type scanner struct {
	text []byte
	pos  int
}

// next returns the current byte, or 0 at the end.
func (s *scanner) next() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) value(depth int) bool {
	switch c := s.next(); c {
	case '"':
		return s.string()
	case '{', '[':
		return depth < maxNesting && s.list(c, depth+1)
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// list skips an object or an array, which starts with open.
func (s *scanner) list(open byte, depth int) bool {
	end := open + 2 // true for both kinds of brackets in ASCII
	s.pos++
	s.blanks()
	if s.next() == end {
		s.pos++
		return true
	}
	for {
		if open == '{' {
			if s.next() != '"' || !s.string() {
				return false
			}
			s.blanks()
			if s.next() != ':' {
				return false
			}
			s.pos++
			s.blanks()
		}
		if !s.value(depth) {
			return false
		}
		s.blanks()
		switch s.next() {
		case ',':
			s.pos++
			s.blanks()
		case end:
			s.pos++
			return true
		default:
			return false
		}
	}
}

func (s *scanner) string() bool {
	s.pos++
	for {
		s.pos += jsonstring.Plain(s.text[s.pos:])
		switch c := s.next(); {
		case c == '"':
			s.pos++
			return true
		case c == '\\':
			if !s.escape() {
				return false
			}
		case c < ' ': // including the end
			return false
		default:
			for s.next() >= utf8.RuneSelf {
				s.pos++
			}
		}
	}
}

func (s *scanner) escape() bool {
	s.pos++
	c := s.next()
	s.pos++
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		unit, ok := s.unit()
		switch {
		case !ok, unit >= 0xDC00 && unit < 0xE000:
			return false
		case unit < 0xD800 || unit >= 0xE000:
			return true
		}
		if s.next() != '\\' {
			return false
		}
		if s.pos++; s.next() != 'u' {
			return false
		}
		s.pos++
		unit, ok = s.unit()
		return ok && unit >= 0xDC00 && unit < 0xE000
	}
	return false
}

// unit skips the four digits of an escaped UTF-16 unit.
func (s *scanner) unit() (n int, ok bool) {
	for range 4 {
		c := s.next()
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			n = n<<4 | int(c|0x20-'a'+10)
		default:
			return 0, false
		}
		s.pos++
	}
	return n, true
}

func (s *scanner) word(w string) bool {
	if len(s.text)-s.pos < len(w) || string(s.text[s.pos:s.pos+len(w)]) != w {
		return false
	}
	s.pos += len(w)
	return true
}

// number skips a number: no leading zeros, and digits on both sides of the point and after
// the exponent.
func (s *scanner) number() bool {
	if s.next() == '-' {
		s.pos++
	}
	if s.next() == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.next() == '.' {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if c := s.next(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.next(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	start := s.pos
	for c := s.next(); c >= '0' && c <= '9'; c = s.next() {
		s.pos++
	}
	return s.pos > start
}
