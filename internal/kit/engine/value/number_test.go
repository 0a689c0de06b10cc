package value

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

var (
	ones38 = strings.Repeat("1", 38)
	nines  = strings.Repeat("9", 38)
)

func TestParseNumber(t *testing.T) {
	const (
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
		precision = "Attempting to store more than 38 significant digits in a Number"
		numeric   = "The parameter cannot be converted to a numeric value"
	)
	for _, c := range []struct{ in, want, err string }{
		{in: "0", want: "0"},
		{in: "-0", want: "0"},
		{in: "0000", want: "0"},
		{in: "0.000", want: "0"},
		{in: "0E500", want: "0"},
		{in: "0e-99999999999999999999", want: "0"},
		{in: "+1", want: "1"},
		{in: "1.", want: "1"},
		{in: ".5", want: "0.5"},
		{in: "-.50", want: "-0.5"},
		{in: "12.50", want: "12.5"},
		{in: "00012.500", want: "12.5"},
		{in: "1e5", want: "100000"},
		{in: "1E+5", want: "100000"},
		{in: "123E2", want: "12300"},
		{in: "-1.50E-5", want: "-0.000015"},
		{in: "9007199254740993", want: "9007199254740993"},
		{in: "18446744073709551616", want: "18446744073709551616"},
		{in: "1000000000000000000000000000001", want: "1000000000000000000000000000001"},
		{in: ones38, want: ones38},
		{in: ones38 + "00", want: ones38 + "00"},
		{in: ones38 + ".000", want: ones38},
		{in: nines + "E88", want: nines + strings.Repeat("0", 88)},
		{in: "1E125", want: "1" + strings.Repeat("0", 125)},
		{in: "-9.9E125", want: "-99" + strings.Repeat("0", 124)},
		{in: "1E-130", want: "0." + strings.Repeat("0", 129) + "1"},
		{in: "1." + nines[1:] + "E-130", want: "0." + strings.Repeat("0", 129) + "1" + nines[1:]},
		{in: strings.Repeat("0", 500) + "7" + strings.Repeat("0", 100), want: "7" + strings.Repeat("0", 100)},
		{in: "0." + strings.Repeat("0", 500) + "7e501", want: "7"},

		{in: ones38 + "1", err: precision},
		{in: ones38 + ".1", err: precision},
		{in: "1" + strings.Repeat("0", 37) + "1", err: precision},
		{in: "1E126", err: overflow},
		{in: "-1E126", err: overflow},
		{in: ones38 + "1e100", err: overflow},
		{in: "1e99999999999999999999", err: overflow},
		{in: "1E-131", err: underflow},
		{in: "-9E-131", err: underflow},
		{in: "1e-99999999999999999999", err: underflow},

		{in: "", err: numeric},
		{in: " ", err: numeric + ":  "},
		{in: "abc", err: numeric + ": abc"},
		{in: "1 ", err: numeric + ": 1 "},
		{in: " 1", err: numeric + ":  1"},
		{in: "-", err: numeric + ": -"},
		{in: ".", err: numeric + ": ."},
		{in: "--1", err: numeric + ": --1"},
		{in: "1.2.3", err: numeric + ": 1.2.3"},
		{in: "1e", err: numeric + ": 1e"},
		{in: "1e+", err: numeric + ": 1e+"},
		{in: "e5", err: numeric + ": e5"},
		{in: "1e5.5", err: numeric + ": 1e5.5"},
		{in: "0x10", err: numeric + ": 0x10"},
		{in: "1_000", err: numeric + ": 1_000"},
		{in: "NaN", err: numeric + ": NaN"},
		{in: "Infinity", err: numeric + ": Infinity"},
		{in: "١", err: numeric + ": ١"},
		{in: ones38 + "1x", err: numeric + ": " + ones38 + "1x"},
	} {
		n, err := ParseNumber(c.in)
		if c.err != "" {
			var invalid *ValidationError
			if !errors.As(err, &invalid) || invalid.Message != c.err {
				t.Errorf("ParseNumber(%q) = %v, %v; want error %q", c.in, n, err, c.err)
			}
			continue
		}
		if err != nil || n.String() != c.want {
			t.Errorf("ParseNumber(%q) = %v, %v; want %s", c.in, n, err, c.want)
		}
	}
}

// TestNumberAgainstRationals compares the order and arithmetic of random numbers of all
// magnitudes with exact rationals.
func TestNumberAgainstRationals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sums := 0
	for range 20_000 {
		a, b := randomNumber(random), randomNumber(random)
		x, y := rational(t, a.String()), rational(t, b.String())
		if got, want := a.Cmp(b), x.Cmp(y); got != want {
			t.Fatalf("%v.Cmp(%v) = %d, want %d", a, b, got, want)
		}
		sums += checkResult(t, "+", a, b, new(big.Rat).Add(x, y))
		sums += checkResult(t, "-", a, b, new(big.Rat).Sub(x, y))
	}
	if sums < 10_000 {
		t.Errorf("only %d of 40000 results were numbers: the check hardly checks", sums)
	}
}

// checkResult compares a sum or difference with the exact result; it returns 1 if that is a
// valid number and 0 if it must be refused.
func checkResult(t *testing.T, op string, a, b Number, exact *big.Rat) int {
	t.Helper()
	got, err := a.Add(b)
	if op == "-" {
		got, err = a.Add(b.Neg())
	}
	want, wantErr := ParseNumber(exact.FloatString(200))
	if wantErr != nil {
		if err == nil {
			t.Fatalf("%v %s %v = %v, want %v", a, op, b, got, wantErr)
		}
		return 0
	}
	if err != nil || got != want {
		t.Fatalf("%v %s %v = %v, %v; want %v", a, op, b, got, err, want)
	}
	return 1
}

func randomNumber(random *rand.Rand) Number {
	digits := make([]byte, 1+random.IntN(maxDigits))
	for i := range digits {
		digits[i] = "0123456789"[random.IntN(10)]
	}
	if random.IntN(4) == 0 {
		copy(digits, nines)
	}
	spread := 20
	if random.IntN(8) == 0 {
		spread = 120
	}
	text := string(digits) + "e" + strconv.Itoa(random.IntN(2*spread)-spread-len(digits)/2)
	if random.IntN(2) == 0 {
		text = "-" + text
	}
	n, err := ParseNumber(text)
	if err != nil {
		return Number{}
	}
	return n
}

func rational(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

func TestNumberAddRefusals(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want error
	}{
		{"1E125", "9E125", errOverflow},
		{"1E100", "1", errPrecision},
		{"4E38", "-1", errPrecision},
		{nines + "0", "1", errPrecision},
		{"1.1E-130", "-1E-130", errUnderflow},
	} {
		a, b := mustParse(t, c.a), mustParse(t, c.b)
		if sum, err := a.Add(b); err != c.want {
			t.Errorf("%s + %s = %v, %v; want %v", c.a, c.b, sum, err, c.want)
		}
	}
	if difference, err := mustParse(t, "1E38").Add(mustParse(t, "-1")); err != nil || difference.String() != nines {
		t.Errorf("1E38 - 1 = %v, %v", difference, err)
	}
}

func TestNumberDigitsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := randomNumber(random)
		digits := n.Digits()
		if digits != "" && (digits[0] == '0' || digits[len(digits)-1] == '0') {
			t.Fatalf("digits of %v are %s", n, digits)
		}
		text := "0." + digits + "e" + strconv.Itoa(n.Exponent()+1)
		if n.Sign() < 0 {
			text = "-" + text
		}
		if back := mustParse(t, text); back != n {
			t.Fatalf("the digits and exponent of %v are those of %v", n, back)
		}
	}
}

func mustParse(t testing.TB, s string) Number {
	t.Helper()
	n, err := ParseNumber(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{
		"0", "-1.5e-7", ones38, "1E125", "abc", "+.0e0", strings.Repeat("0", hostile.Size), "0." + strings.Repeat("0", hostile.Size-3) + "1", "1e" + strings.Repeat("9", hostile.Size-2),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > hostile.Size {
			return
		}
		var n Number
		var err error
		hostile.Check(t, s, func() { n, err = ParseNumber(s) })
		if err != nil {
			return
		}
		if again, err := ParseNumber(n.String()); err != nil || again != n {
			t.Fatalf("%q reads as %v, which reads as %v, %v", s, n, again, err)
		}
		if isPlain(s) && n.String() != s {
			t.Fatalf("%q counts as canonical but prints as %v", s, n)
		}
	})
}

func BenchmarkParseNumber(b *testing.B) {
	for _, s := range []string{"42", "1732184012345", "-0.000015", ones38} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseNumber(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNumberAdd(b *testing.B) {
	x, y := mustParse(b, "1732184012345"), mustParse(b, "0.25")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Add(y); err != nil {
			b.Fatal(err)
		}
	}
}
