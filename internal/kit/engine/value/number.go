package value

import (
	"cmp"
	"errors"
	"math/big"
	"strconv"
	"strings"
)

const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130

	// maxText is longer than the longest canonical text: sign, "0." and the digits of
	// 10^-130 continued for 38 places.
	maxText = 176
)

// Number is a decimal number of DynamoDB: up to 38 significant digits and a magnitude from
// 1E-130 to 9.99…E+125. The zero value is 0. Each number has one representation, so ==
// compares values.
type Number struct {
	digits   string // the first and the last are not zero; empty for 0
	exponent int    // of the first digit
	negative bool
}

// ParseNumber parses digits with an optional sign, point and exponent. It refuses anything
// else, more than 38 significant digits and magnitudes out of range with a
// [ValidationError].
func ParseNumber(s string) (Number, error) {
	text, negative := strings.CutPrefix(s, "-")
	if !negative {
		text = strings.TrimPrefix(s, "+")
	}
	exponent, err := int64(0), error(nil)
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		// What exceeds 32 bits becomes the nearest such number, which is far out of range, too.
		exponent, err = strconv.ParseInt(text[at+1:], 10, 32)
		text = text[:at]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	switch {
	case s == "":
		return Number{}, errNotNumeric
	case err != nil && !errors.Is(err, strconv.ErrRange), len(whole)+len(fraction) == 0, !isDigits(whole), !isDigits(fraction):
		return Number{}, Invalid("The parameter cannot be converted to a numeric value: %s", s)
	}
	n := Number{exponent: int(exponent), negative: negative}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	n.exponent += len(whole) - 1
	if whole == "" {
		zeros := len(fraction)
		fraction = strings.TrimLeft(fraction, "0")
		n.exponent -= zeros - len(fraction)
	}
	if fraction == "" {
		whole = strings.TrimRight(whole, "0")
	}
	switch digits := len(whole) + len(fraction); {
	case digits == 0:
		return Number{}, nil
	case n.exponent > maxExponent:
		return Number{}, errOverflow
	case n.exponent < minExponent:
		return Number{}, errUnderflow
	case digits > maxDigits:
		return Number{}, errPrecision
	}
	n.digits = whole + fraction
	return n, nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Int returns the number i.
func Int(i int64) Number {
	n, _ := ParseNumber(strconv.FormatInt(i, 10)) // an int64 is always in range
	return n
}

// Digits returns the significant digits; the first and the last are not zero. Zero has none.
func (n Number) Digits() string { return n.digits }

// Exponent returns e of the form d.ddd × 10^e, from -130 to 125, and 0 for zero.
func (n Number) Exponent() int { return n.exponent }

// scale returns the exponent of the last digit.
func (n Number) scale() int { return n.exponent - max(len(n.digits)-1, 0) }

// Sign returns -1, 0 or +1.
func (n Number) Sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.negative:
		return -1
	default:
		return 1
	}
}

// Cmp returns -1, 0 or +1 as n is less than, equal to or greater than m.
func (n Number) Cmp(m Number) int {
	if order := cmp.Compare(n.Sign(), m.Sign()); order != 0 {
		return order
	}
	return n.Sign() * cmp.Or(cmp.Compare(n.exponent, m.exponent), strings.Compare(n.digits, m.digits))
}

// Neg returns -n.
func (n Number) Neg() Number {
	n.negative = n.Sign() > 0
	return n
}

// Add returns n + m exactly, or a [ValidationError] when the result needs more than 38
// digits or leaves the range. It never rounds.
func (n Number) Add(m Number) (Number, error) {
	if n.Sign() == 0 {
		return m, nil
	}
	if m.Sign() == 0 {
		return n, nil
	}
	scale := min(n.scale(), m.scale())
	sum := new(big.Int).Add(n.integer(scale), m.integer(scale))
	return ParseNumber(sum.String() + "e" + strconv.Itoa(scale))
}

// integer returns n divided by 10^scale, for a scale up to that of n.
func (n Number) integer(scale int) *big.Int {
	i, _ := new(big.Int).SetString(n.digits+strings.Repeat("0", n.scale()-scale), 10)
	if n.negative {
		i.Neg(i)
	}
	return i
}

// String returns the canonical text: plain notation without exponent, superfluous zeros or
// plus sign.
func (n Number) String() string {
	var buf [maxText]byte
	return string(n.AppendTo(buf[:0]))
}

// AppendTo appends the canonical text of n to dst.
func (n Number) AppendTo(dst []byte) []byte {
	if n.Sign() == 0 {
		return append(dst, '0')
	}
	if n.negative {
		dst = append(dst, '-')
	}
	switch point := n.exponent + 1; {
	case point <= 0:
		return append(appendZeros(append(dst, '0', '.'), -point), n.digits...)
	case point >= len(n.digits):
		return appendZeros(append(dst, n.digits...), point-len(n.digits))
	default:
		return append(append(append(dst, n.digits[:point]...), '.'), n.digits[point:]...)
	}
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
