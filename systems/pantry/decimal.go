package pantry

import (
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Decimal is a number with at most two decimals, below a billion in either direction.
// Further digits are cut off, never rounded. The zero Decimal is 0.
type Decimal struct {
	// text is the shortest one; empty for 0.
	text string
	// negative numbers stay so when nothing but zeros is left of them.
	negative bool
}

// longestNumber bounds the text of a number that is looked at.
const longestNumber = 512

var (
	// cutting has digits to spare for what is below bound.
	cutting = apd.Context{Precision: 20, MaxExponent: apd.MaxExponent, MinExponent: apd.MinExponent, Rounding: apd.RoundDown}
	// bound is what a Decimal stays below.
	bound = apd.New(1, 9)
)

// maxQuantity is the greatest Decimal.
const maxQuantity = "999999999.99"

// MaxQuantity is how much there can be of a food.
var MaxQuantity = MustDecimal(maxQuantity)

// ParseDecimal reads a number as JSON and GraphQL write it.
func ParseDecimal(text string) (Decimal, error) {
	if text == "" || len(text) > longestNumber || strings.Trim(text, "+-.0123456789eE") != "" {
		return Decimal{}, badInput("INVALID_QUANTITY", "Not a decimal number: %.40q", text)
	}
	x, _, err := apd.NewFromString(text)
	if err != nil || x.Form != apd.Finite {
		return Decimal{}, badInput("INVALID_QUANTITY", "Not a decimal number: %.40q", text)
	}
	if d, ok := decimalOf(x); ok {
		return d, nil
	}
	return Decimal{}, badInput("INVALID_QUANTITY", "A number lies between -%s and %s", maxQuantity, maxQuantity)
}

// MustDecimal is ParseDecimal of a number that is known to be one.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// decimalOf cuts x; ok is false when it is too large.
func decimalOf(x *apd.Decimal) (d Decimal, ok bool) {
	var size apd.Decimal
	if size.Abs(x).Cmp(bound) >= 0 {
		return Decimal{}, false
	}
	d.negative = x.Negative && !x.IsZero()
	var cut apd.Decimal
	if _, err := cutting.Quantize(&cut, x, -2); err != nil {
		return Decimal{}, false
	}
	if !cut.IsZero() {
		reduced, _ := new(apd.Decimal).Reduce(&cut)
		d.text = reduced.Text('f')
	}
	return d, true
}

// String returns the shortest form: 0.29, 5.4, 10.
func (d Decimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// Negative reports whether d is below zero, or was before digits were cut off.
func (d Decimal) Negative() bool { return d.negative }

func (d Decimal) apd() *apd.Decimal {
	x, _, err := apd.NewFromString(d.String())
	if err != nil {
		panic(err) // only ParseDecimal makes texts
	}
	return x
}

// Plus returns the sum; ok is false when it is no Decimal any more.
func (d Decimal) Plus(e Decimal) (sum Decimal, ok bool) {
	var x apd.Decimal
	if _, err := cutting.Add(&x, d.apd(), e.apd()); err != nil {
		return Decimal{}, false
	}
	return decimalOf(&x)
}

// Minus returns 0 - d.
func (d Decimal) Minus() Decimal {
	var x apd.Decimal
	minus, _ := decimalOf(x.Neg(d.apd()))
	return minus
}

// Cmp is negative when d is less than e, 0 when both are equal.
func (d Decimal) Cmp(e Decimal) int { return d.apd().Cmp(e.apd()) }

// CheckQuantity refuses what is no amount of a food. Nil is one that nobody has set.
func CheckQuantity(q *Decimal) error {
	if q != nil && q.Negative() {
		return badInput("INVALID_QUANTITY", "A quantity is not negative")
	}
	return nil
}
