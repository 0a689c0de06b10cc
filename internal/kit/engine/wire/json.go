package wire

import (
	"bytes"
	"encoding/json"
)

// reader parses JSON text that is known to be valid, and therefore checks only what
// distinguishes values.
type reader struct {
	text []byte
	pos  int

	// shared is a copy of the text, which attribute values that do not outlive the request
	// share.
	shared string
}

// peek returns the first byte of the next token.
func (r *reader) peek() byte {
	for {
		switch c := r.text[r.pos]; c {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return c
		}
	}
}

// enter enters an object or array; more reports whether it has an element.
func (r *reader) enter() (more bool) {
	r.peek()
	r.pos++
	if c := r.peek(); c == '}' || c == ']' {
		r.pos++
		return false
	}
	return true
}

// next skips the comma before another element, or the end of the object or array.
func (r *reader) next() (more bool) {
	c := r.peek()
	r.pos++
	return c == ','
}

// key parses the key of an object's entry and moves to its value. The bytes are valid until
// the reader's text changes.
func (r *reader) key() []byte {
	raw := r.raw()
	r.peek()
	r.pos++ // the colon
	if hasEscape(raw) {
		return []byte(unquote(raw))
	}
	return raw[1 : len(raw)-1]
}

// raw returns the text of the next value of any type.
func (r *reader) raw() []byte {
	r.peek()
	start := r.pos
	r.skip()
	return r.text[start:r.pos]
}

// skip skips the next value.
func (r *reader) skip() {
	switch r.peek() {
	case '"':
		r.skipString()
	case '{', '[':
		depth := 0
		for {
			switch r.text[r.pos] {
			case '"':
				r.skipString()
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			r.pos++
			if depth == 0 {
				return
			}
		}
	default:
		if n := bytes.IndexAny(r.text[r.pos:], ",]} \t\r\n"); n >= 0 {
			r.pos += n
		} else {
			r.pos = len(r.text)
		}
	}
}

func (r *reader) skipString() {
	r.pos++
	for r.text[r.pos] != '"' {
		if r.text[r.pos] == '\\' {
			r.pos++
		}
		r.pos++
	}
	r.pos++
}

// sharedString parses a string as a substring of the reader's copy of the text.
func (r *reader) sharedString() string {
	raw := r.raw()
	if hasEscape(raw) {
		return unquote(raw)
	}
	if r.shared == "" {
		r.shared = string(r.text)
	}
	return r.shared[r.pos-len(raw)+1 : r.pos-1]
}

// str parses a string.
func (r *reader) str() string {
	raw := r.raw()
	if hasEscape(raw) {
		return unquote(raw)
	}
	return string(raw[1 : len(raw)-1])
}

// hasEscape reports whether a string must be unquoted.
func hasEscape(raw []byte) bool { return bytes.IndexByte(raw, '\\') >= 0 }

func unquote(raw []byte) string {
	var s string
	_ = json.Unmarshal(raw, &s) // valid JSON, and a string
	return s
}
