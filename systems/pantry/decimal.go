package pantry

import (
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Decimal is a number with at most two decimals, whose absolute value is less than a
// billion. Further digits are truncated, never rounded. The zero Decimal is 0.
type Decimal struct {
	// text is the shortest representation; empty for 0.
	text string
	// negative remains set if truncation leaves nothing but zeros.
	negative bool
}

// longestNumber is the maximum length of a number's text.
const longestNumber = 512

var (
	// cutting has more than enough digits for values below bound.
	cutting = apd.Context{Precision: 20, MaxExponent: apd.MaxExponent, MinExponent: apd.MinExponent, Rounding: apd.RoundDown}
	// bound is the exclusive upper bound of a Decimal's absolute value.
	bound = apd.New(1, 9)
)

// maxQuantity is the largest Decimal.
const maxQuantity = "999999999.99"

// MaxQuantity is the maximum quantity of a food.
var MaxQuantity = MustDecimal(maxQuantity)

// ParseDecimal parses a number as written in JSON and GraphQL.
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

// MustDecimal is like ParseDecimal, but panics if the text is not a number.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// decimalOf truncates x. ok is false if x is too large.
func decimalOf(x *apd.Decimal) (d Decimal, ok bool) {
	if x.IsZero() {
		return Decimal{}, true // whatever its exponent
	}
	var size apd.Decimal
	if size.Abs(x).Cmp(bound) >= 0 {
		return Decimal{}, false
	}
	d.negative = x.Negative
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

// Negative reports whether d is negative, or was before truncation.
func (d Decimal) Negative() bool { return d.negative }

func (d Decimal) apd() *apd.Decimal {
	x, _, err := apd.NewFromString(d.String())
	if err != nil {
		panic(err) // only ParseDecimal sets text
	}
	return x
}

// Plus returns the sum. ok is false if it is too large for a Decimal.
func (d Decimal) Plus(e Decimal) (sum Decimal, ok bool) {
	var x apd.Decimal
	if _, err := cutting.Add(&x, d.apd(), e.apd()); err != nil {
		return Decimal{}, false
	}
	return decimalOf(&x)
}

// Minus returns -d.
func (d Decimal) Minus() Decimal {
	var x apd.Decimal
	minus, _ := decimalOf(x.Neg(d.apd()))
	return minus
}

// Cmp returns a negative number if d < e, 0 if d == e, and a positive number if d > e.
func (d Decimal) Cmp(e Decimal) int { return d.apd().Cmp(e.apd()) }

// CheckQuantity refuses a negative quantity. Nil means unset.
func CheckQuantity(q *Decimal) error {
	if q != nil && q.Negative() {
		return badInput("INVALID_QUANTITY", "A quantity is not negative")
	}
	return nil
}
