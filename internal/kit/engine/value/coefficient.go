package value

import (
	"math/bits"
	"strconv"
)

// coefficient is an unsigned 128-bit integer. 38 decimal digits need 127 bits, so
// every number DynamoDB can hold has its digits in one, and the sum of two still
// fits.
type coefficient struct{ hi, lo uint64 }

// tenTo19 is the largest power of ten in 64 bits; a coefficient below 10^38 is two
// digits in that base.
const tenTo19 = 1e19

// powersOfTen holds 10^0 to 10^38.
var powersOfTen = func() (p [maxDigits + 1]coefficient) {
	p[0] = coefficient{lo: 1}
	for i := 1; i < len(p); i++ {
		p[i], _ = p[i-1].times(coefficient{lo: 10})
	}
	return p
}()

func (c coefficient) isZero() bool { return c.hi|c.lo == 0 }

func (c coefficient) cmp(d coefficient) int {
	switch {
	case c == d:
		return 0
	case c.hi < d.hi || c.hi == d.hi && c.lo < d.lo:
		return -1
	default:
		return 1
	}
}

// plus reports false when the sum needs more than 128 bits.
func (c coefficient) plus(d coefficient) (coefficient, bool) {
	lo, carry := bits.Add64(c.lo, d.lo, 0)
	hi, carry := bits.Add64(c.hi, d.hi, carry)
	return coefficient{hi, lo}, carry == 0
}

// minus needs c >= d.
func (c coefficient) minus(d coefficient) coefficient {
	lo, borrow := bits.Sub64(c.lo, d.lo, 0)
	hi, _ := bits.Sub64(c.hi, d.hi, borrow)
	return coefficient{hi, lo}
}

// times reports false when the product needs more than 128 bits.
func (c coefficient) times(d coefficient) (coefficient, bool) {
	if c.hi != 0 && d.hi != 0 {
		return coefficient{}, false
	}
	over1, cross1 := bits.Mul64(c.hi, d.lo)
	over2, cross2 := bits.Mul64(c.lo, d.hi)
	hi, lo := bits.Mul64(c.lo, d.lo)
	hi, carry1 := bits.Add64(hi, cross1, 0)
	hi, carry2 := bits.Add64(hi, cross2, 0)
	return coefficient{hi, lo}, over1|over2|carry1|carry2 == 0
}

// divide returns quotient and remainder of a division by d.
func (c coefficient) divide(d uint64) (coefficient, uint64) {
	hi, rem := c.hi/d, c.hi%d
	lo, rem := bits.Div64(rem, c.lo, d)
	return coefficient{hi, lo}, rem
}

// digits counts decimal digits; zero has none.
func (c coefficient) digits() int {
	if c.isZero() {
		return 0
	}
	width := bits.Len64(c.lo)
	if c.hi != 0 {
		width = 64 + bits.Len64(c.hi)
	}
	// 1233/4096 is close enough to log10(2) to be at most one too small.
	n := width * 1233 >> 12
	if n < len(powersOfTen) && c.cmp(powersOfTen[n]) < 0 {
		return n
	}
	return n + 1
}

// append writes c in decimal; c must be below 10^38.
func (c coefficient) append(dst []byte) []byte {
	if c.hi == 0 {
		return strconv.AppendUint(dst, c.lo, 10)
	}
	high, low := c.divide(tenTo19)
	dst = strconv.AppendUint(dst, high.lo, 10)
	var text [19]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = byte('0' + low%10)
		low /= 10
	}
	return append(dst, text[:]...)
}
