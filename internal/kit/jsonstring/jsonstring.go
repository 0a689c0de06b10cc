// Package jsonstring encodes JSON strings.
//
// Text is nearly all of a response, so it is copied in runs and examined eight bytes at a
// time. Bytes that are not UTF-8 become U+FFFD: the output is valid JSON whatever was
// stored.
package jsonstring

import (
	"math/bits"
	"unicode/utf8"
)

// Append appends s in quotes. HTML is not escaped.
func Append[S string | []byte](dst []byte, s S) []byte {
	dst = append(dst, '"')
	start := 0 // start of the run not copied yet
	for i := plainEnd(s, 0); i < len(s); i = plainEnd(s, i) {
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendEscape(append(dst, s[start:i]...), c)
			i++
			start = i
			continue
		}
		size := runeLength(s[i:])
		if size == 0 {
			dst = append(append(dst, s[start:i]...), "\ufffd"...)
			size, start = 1, i+1
		}
		i += size
	}
	return append(append(dst, s[start:]...), '"')
}

const (
	ones = 0x0101010101010101 // multiplied by a byte: that byte eight times
	high = 0x8080808080808080
)

// plainEnd returns the end of the run at i of ASCII without JSON escapes.
func plainEnd[S string | []byte](s S, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// In below, a byte's high bit is set if it is less than a space, in the others if
		// it equals the character. Borrows can only affect bytes above such a one, so the
		// lowest bit is correct.
		below := w - ones*' '
		quote := (w ^ ones*'"') - ones
		backslash := (w ^ ones*'\\') - ones
		if found := (w | below | quote | backslash) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
	}
}

// runeLength returns how many bytes the rune at the start of s takes, or 0 if there is
// none.
func runeLength[S string | []byte](s S) int {
	var first [utf8.UTFMax]byte
	r, size := utf8.DecodeRune(first[:copy(first[:], s)])
	if r == utf8.RuneError && size == 1 {
		return 0
	}
	return size
}
