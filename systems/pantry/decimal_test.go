package pantry

import (
	"strings"
	"testing"
)

// pantry 4.1#4, 5.1#7 and 5.4#5: decimals are cut, never rounded, and not above the
// maximum.
func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "1": "1", "+1": "1", "10": "10", "100.10": "100.1", "5.40": "5.4", "0.29": "0.29",
		"1.999": "1.99", "-1.999": "-1.99", "0.009": "0", "1e2": "100", "1E-2": "0.01", "1e-400": "0", "999999999.999": "999999999.99",
		"0." + strings.Repeat("1", 40): "0.11", strings.Repeat("0", 40) + "7": "7",
	} {
		if d, err := ParseDecimal(text); err != nil || d.String() != want {
			t.Errorf("%s is %s, %v, want %s", text, d, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "1 ", "x", "NaN", "sNaN", "Infinity", "-inf", "0x10", "1,5", "1e", "--1", "1e400", "1e999999999999", "1000000000", "-1e9",
		strings.Repeat("9", 40), strings.Repeat("1", 600),
	} {
		if d, err := ParseDecimal(text); err == nil {
			t.Errorf("%.50q is %s, want a refusal", text, d)
		}
	}
}

// pantry 5.4#4-5: sums are exact and not above the maximum.
func TestDecimalSums(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"0.1", "0.2", "0.3"}, {"10", "-1", "9"}, {"0.01", "-0.01", "0"}, {"999999999.98", "0.01", "999999999.99"}, {"1", "-2", "-1"},
	} {
		if sum, ok := MustDecimal(c.a).Plus(MustDecimal(c.b)); !ok || sum.String() != c.want {
			t.Errorf("%s + %s is %s, want %s", c.a, c.b, sum, c.want)
		}
	}
	if _, ok := MaxQuantity.Plus(MustDecimal("0.01")); ok {
		t.Error("more than the most is a Decimal")
	}
	if d := MustDecimal("2.5").Minus(); d.String() != "-2.5" || !d.Negative() {
		t.Errorf("0 - 2.5 is %s", d)
	}
	if !MustDecimal("-0.001").Negative() || MustDecimal("-0").Negative() {
		t.Error("what was below zero must stay so, and -0 is not")
	}
}
