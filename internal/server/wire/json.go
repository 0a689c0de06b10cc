package wire

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting bounds objects and lists within each other, since every level is a
// level of recursion. Requests of real clients nest below 20.
const maxNesting = 128

var errTooNested = fmt.Errorf("lists and objects nest deeper than %d levels", maxNesting)

// parser reads one JSON text in a single pass. It replaces encoding/json on the
// request path, where the latter's separate validation and reflection cost more
// than executing a small query. Unlike it, the parser refuses invalid UTF-8 and
// tells integers from fractions: a whole number that fits becomes an int64, as in
// a GraphQL literal, any other a float64.
type parser struct {
	data    []byte
	pos     int
	nesting int
	scratch []byte
}

// newParser refuses texts that are not valid UTF-8, so the rest need not look.
func newParser(data []byte) (parser, error) {
	if !utf8.Valid(data) {
		return parser{}, errors.New("not valid UTF-8")
	}
	return parser{data: data}, nil
}

// end reports an error unless only blanks are left.
func (p *parser) end() error {
	if p.skipBlanks(); p.pos < len(p.data) {
		return p.unexpected("after the value")
	}
	return nil
}

func (p *parser) skipBlanks() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

// peek skips blanks and returns the byte that starts the next token, or 0 at the
// end of the text.
func (p *parser) peek() byte {
	p.skipBlanks()
	if p.pos == len(p.data) {
		return 0
	}
	return p.data[p.pos]
}

func (p *parser) unexpected(where string) error {
	if p.pos >= len(p.data) {
		return fmt.Errorf("JSON ends early, %s", where)
	}
	r, _ := utf8.DecodeRune(p.data[p.pos:])
	return fmt.Errorf("unexpected %q at byte %d, %s", r, p.pos, where)
}

// object calls member for each member of the object that starts here; member must
// consume exactly the member's value.
func (p *parser) object(member func(name string) error) error {
	if p.peek() != '{' {
		return p.unexpected("where an object should start")
	}
	if p.nesting++; p.nesting > maxNesting {
		return errTooNested
	}
	p.pos++
	for more := p.peek() != '}'; more; {
		if p.peek() != '"' {
			return p.unexpected("where a member's name should start")
		}
		name, err := p.text()
		if err != nil {
			return err
		}
		if p.peek() != ':' {
			return p.unexpected("where a colon should follow a member's name")
		}
		p.pos++
		if err := member(name); err != nil {
			return err
		}
		if more, err = p.comma('}'); err != nil {
			return err
		}
	}
	p.pos++
	p.nesting--
	return nil
}

func (p *parser) list() ([]any, error) {
	if p.nesting++; p.nesting > maxNesting {
		return nil, errTooNested
	}
	p.pos++
	list := []any{}
	for more := p.peek() != ']'; more; {
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, item)
		if more, err = p.comma(']'); err != nil {
			return nil, err
		}
	}
	p.pos++
	p.nesting--
	return list, nil
}

// comma consumes a comma and reports true, or stops before the closing byte and
// reports false.
func (p *parser) comma(closing byte) (more bool, err error) {
	switch p.peek() {
	case ',':
		p.pos++
		if p.peek() == closing {
			return false, p.unexpected("after a comma")
		}
		return true, nil
	case closing:
		return false, nil
	}
	return false, p.unexpected("where a comma or the end of a list or object should be")
}

// value reads any value: map[string]any, []any, string, int64, float64, bool or nil.
func (p *parser) value() (any, error) {
	switch c := p.peek(); {
	case c == '{':
		m := map[string]any{}
		err := p.object(func(name string) (err error) {
			m[name], err = p.value()
			return err
		})
		return m, err
	case c == '[':
		return p.list()
	case c == '"':
		return p.text()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	case p.literal("true"):
		return true, nil
	case p.literal("false"):
		return false, nil
	case p.literal("null"):
		return nil, nil
	}
	return nil, p.unexpected("where a value should start")
}

// raw returns the bytes of the next value, a part of the parser's input.
func (p *parser) raw() ([]byte, error) {
	p.skipBlanks()
	start := p.pos
	if err := p.skip(); err != nil {
		return nil, err
	}
	return p.data[start:p.pos], nil
}

// skip checks the next value and passes over it without building it.
func (p *parser) skip() error {
	switch p.peek() {
	case '{':
		return p.object(func(string) error { return p.skip() })
	default:
		_, err := p.value()
		return err
	}
}

// literal consumes word if it stands here.
func (p *parser) literal(word string) bool {
	p.skipBlanks()
	if end := p.pos + len(word); end <= len(p.data) && string(p.data[p.pos:end]) == word {
		p.pos = end
		return true
	}
	return false
}

func (p *parser) number() (any, error) {
	start, whole := p.pos, true
	if p.at('-') {
		p.pos++
	}
	switch {
	case p.at('0'):
		p.pos++
	case p.digits() == 0:
		return nil, p.unexpected("in a number")
	}
	if p.at('.') {
		whole = false
		if p.pos++; p.digits() == 0 {
			return nil, p.unexpected("after a decimal point")
		}
	}
	if p.at('e') || p.at('E') {
		whole = false
		if p.pos++; p.at('+') || p.at('-') {
			p.pos++
		}
		if p.digits() == 0 {
			return nil, p.unexpected("in an exponent")
		}
	}
	text := string(p.data[start:p.pos])
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("number %.40s is out of range", text)
	}
	// Some clients have one type of number and write 20 as 20.0. Beyond maxExact a
	// float no longer tells which whole number was meant.
	if f == math.Trunc(f) && math.Abs(f) <= maxExact {
		return int64(f), nil
	}
	return f, nil
}

// maxExact is the largest number up to which a float64 holds each whole number.
const maxExact = 1 << 53

func (p *parser) at(c byte) bool { return p.pos < len(p.data) && p.data[p.pos] == c }

func (p *parser) digits() (count int) {
	for p.pos < len(p.data) && '0' <= p.data[p.pos] && p.data[p.pos] <= '9' {
		p.pos++
		count++
	}
	return count
}

// text reads the string that starts here.
func (p *parser) text() (string, error) {
	p.pos++
	start := p.pos
	for ; p.pos < len(p.data); p.pos++ {
		switch c := p.data[p.pos]; {
		case c == '"':
			p.pos++
			return string(p.data[start : p.pos-1]), nil
		case c == '\\':
			return p.escapedText(start)
		case c < ' ':
			return "", p.unexpected("in a string, where it must be escaped")
		}
	}
	return "", p.unexpected("in a string")
}

// escapedText goes on reading a string from start whose first escape is here.
func (p *parser) escapedText(start int) (string, error) {
	out := append(p.scratch[:0], p.data[start:p.pos]...)
	defer func() { p.scratch = out }()
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == '"':
			p.pos++
			return string(out), nil
		case c < ' ':
			return "", p.unexpected("in a string, where it must be escaped")
		case c != '\\':
			out = append(out, c)
			p.pos++
		default:
			p.pos++
			var err error
			if out, err = p.escape(out); err != nil {
				return "", err
			}
		}
	}
	return "", p.unexpected("in a string")
}

// escape appends what the escape sequence behind a backslash means.
func (p *parser) escape(out []byte) ([]byte, error) {
	if p.pos == len(p.data) {
		return out, p.unexpected("in a string")
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	for i := range len(from) {
		if p.data[p.pos] == from[i] {
			p.pos++
			return append(out, to[i]), nil
		}
	}
	if p.data[p.pos] != 'u' {
		return out, p.unexpected("after a backslash")
	}
	r, ok := p.hex()
	if !ok {
		return out, p.unexpected(`after \u, which four hexadecimal digits must follow`)
	}
	if utf16.IsSurrogate(r) {
		// A lone half stands for no character; it becomes U+FFFD as in other decoders.
		mark, first := p.pos, r
		if r = utf8.RuneError; p.at('\\') {
			if p.pos++; p.at('u') {
				second, ok := p.hex()
				if !ok {
					return out, p.unexpected(`after \u, which four hexadecimal digits must follow`)
				}
				r = utf16.DecodeRune(first, second)
			}
			if r == utf8.RuneError {
				p.pos = mark
			}
		}
	}
	return utf8.AppendRune(out, r), nil
}

// hex reads the u of an escape and its four digits.
func (p *parser) hex() (rune, bool) {
	if p.pos+5 > len(p.data) {
		p.pos = len(p.data)
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.data[p.pos+1:p.pos+5]), 16, 32)
	if err != nil {
		return 0, false
	}
	p.pos += 5
	return rune(n), true
}
