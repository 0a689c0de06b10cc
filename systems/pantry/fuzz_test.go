package pantry

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzDecimal searches for numbers that are expensive to parse or to compute with.
func FuzzDecimal(f *testing.F) {
	for _, text := range []string{
		"0", "-0.005", "999999999.99", "1e8", "1e-99999", "1e99999", "1e999999999", "1e-999999999", "9e2147483647", "0e999999999", "0e99999", "-0e-99999", "1E+5", "..", "1.2.3", "e",
		"+",
		strings.Repeat("9", hostile.Size), "0." + strings.Repeat("0", hostile.Size-3) + "1", "1e" + strings.Repeat("9", hostile.Size-2),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			d, err := ParseDecimal(text)
			if err != nil {
				return
			}
			if again, err := ParseDecimal(d.String()); err != nil || again.Cmp(d) != 0 {
				t.Errorf("%q is %s, which is %s, %v", text, d, again, err)
			}
			if sum, ok := d.Plus(d.Minus()); !ok || sum.String() != "0" {
				t.Errorf("%s less itself is %s", d, sum)
			}
		})
	})
}
