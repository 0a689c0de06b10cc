package keycodec

import (
	"errors"
	"strings"
)

// The first byte of a number is its sign; zero consists of that byte only.
const (
	negative = 0x40
	zero     = 0x80
	positive = 0xC0
)

// A number is 0.d1d2d3… × 10^exponent with d1 ≠ 0. The range of DynamoDB's
// numbers, 1E-130 to 9.99…E+125, gives exponents from -129 to 126: one byte.
const (
	minExponent = -129
	maxExponent = 126
)

// ErrNumber is the error for text that is not a number DynamoDB could have stored.
var ErrNumber = errors.New("keycodec: not a storable number")

// AppendNumber appends the encoding of a decimal number such as "-12.50". The text must be
// in plain notation; 12.50 and 12.5 have the same encoding. Digits are stored two to a
// byte; all bytes after the sign of a negative number are inverted, which reverses their
// order.
func AppendNumber(dst []byte, text string) ([]byte, error) {
	digits, exponent, neg, err := significand(text)
	if err != nil {
		return nil, err
	}
	if digits.len() == 0 {
		return append(dst, zero), nil
	}
	if exponent < minExponent || exponent > maxExponent {
		return nil, ErrNumber
	}
	var flip byte
	if neg {
		dst, flip = append(dst, negative), 0xFF
	} else {
		dst = append(dst, positive)
	}
	dst = append(dst, byte(exponent-minExponent)^flip)
	for i := 0; i < digits.len(); i += 2 {
		pair := 10 * digits.at(i)
		if i+1 < digits.len() {
			pair += digits.at(i + 1)
		}
		dst = append(dst, (pair+1)^flip)
	}
	return append(dst, flip), nil
}

// digitRun refers to the significant digits in a number's text, which may contain a decimal
// point.
type digitRun struct {
	text  string
	point int // offset of the point within text, or len(text)
}

func (r digitRun) len() int {
	if r.point < len(r.text) {
		return len(r.text) - 1
	}
	return len(r.text)
}

func (r digitRun) at(i int) byte {
	if i >= r.point {
		i++
	}
	return r.text[i] - '0'
}

// significand returns the significant digits of text and their exponent. A zero has no
// digits.
func significand(text string) (run digitRun, exponent int, neg bool, err error) {
	if strings.HasPrefix(text, "-") {
		neg, text = true, text[1:]
	}
	point := len(text)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
		case c == '.' && point == len(text):
			point = i
		default:
			return run, 0, false, ErrNumber
		}
	}
	if len(text) == 0 || text == "." {
		return run, 0, false, ErrNumber
	}
	first := strings.IndexFunc(text, isSignificant)
	if first < 0 {
		return run, 0, false, nil
	}
	last := strings.LastIndexFunc(text, isSignificant)
	run = digitRun{text: text[first : last+1], point: last + 1 - first}
	if point > first && point < last {
		run.point = point - first
	}
	exponent = point - first
	if point < first {
		exponent = point - first + 1
	}
	return run, exponent, neg, nil
}

func isSignificant(r rune) bool { return r >= '1' && r <= '9' }
