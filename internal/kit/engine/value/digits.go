package value

import "slices"

// maxText is longer than the longest canonical text: sign, "0." and the digits of
// 10^-130 continued for 38 places.
const maxText = 176

// String returns the canonical text: plain notation without exponent, superfluous
// zeros or plus sign.
func (n Number) String() string {
	var buf [maxText]byte
	return string(n.AppendTo(buf[:0]))
}

// AppendTo appends the canonical text of n to dst.
func (n Number) AppendTo(dst []byte) []byte {
	if n.coef.isZero() {
		return append(dst, '0')
	}
	if n.negative {
		dst = append(dst, '-')
	}
	if n.scale >= 0 {
		return appendZeros(n.coef.append(dst), int(n.scale))
	}
	digits, fraction := n.coef.digits(), -int(n.scale)
	if digits <= fraction {
		dst = append(dst, '0', '.')
		return n.coef.append(appendZeros(dst, fraction-digits))
	}
	dst = n.coef.append(dst)
	return slices.Insert(dst, len(dst)-fraction, '.')
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// Sign returns -1, 0 or +1.
func (n Number) Sign() int {
	switch {
	case n.coef.isZero():
		return 0
	case n.negative:
		return -1
	default:
		return 1
	}
}

// Exponent returns e of the form d.ddd × 10^e, from -130 to 125, and 0 for zero.
// Among positive numbers a greater exponent is a greater number.
func (n Number) Exponent() int {
	if n.coef.isZero() {
		return 0
	}
	return int(n.scale) + n.coef.digits() - 1
}

// AppendDigits appends the significant decimal digits, '0' to '9', to dst; the
// first and the last are not zero. Zero has none.
func (n Number) AppendDigits(dst []byte) []byte {
	if n.coef.isZero() {
		return dst
	}
	return n.coef.append(dst)
}

// Int returns the number i.
func Int(i int64) Number {
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}
	n, _ := numberFrom(i < 0, coefficient{lo: magnitude}, 0) // an int64 is always in range
	return n
}

// NumberOf puts a number together from its sign and what [Number.Exponent] and
// [Number.AppendDigits] gave. Digits from elsewhere may end in zeros, but there may
// be no more than 38.
func NumberOf(negative bool, exponent int, digits []byte) (Number, error) {
	if len(digits) > maxDigits {
		return Number{}, errPrecision
	}
	var coef coefficient
	for _, d := range digits {
		if d < '0' || d > '9' {
			return Number{}, Invalid("The parameter cannot be converted to a numeric value: %s", digits)
		}
		coef, _ = coef.times(powersOfTen[1])
		coef, _ = coef.plus(coefficient{lo: uint64(d - '0')})
	}
	return numberFrom(negative, coef, exponent-len(digits)+1)
}
