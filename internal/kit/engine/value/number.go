package value

const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130

	// saturated represents all exponents so large that the number is out of range whatever
	// its digits are.
	saturated = 1 << 40
)

// Number is a decimal number of DynamoDB: up to 38 significant digits and a magnitude from
// 1E-130 to 9.99…E+125. The zero value is 0. Each number has one representation, so ==
// compares values.
type Number struct {
	coef     coefficient // without trailing zeros
	scale    int16       // the number is coef × 10^scale
	negative bool
}

// ParseNumber parses digits with an optional sign, point and exponent. It refuses anything
// else, more than 38 significant digits and magnitudes out of range with a
// [ValidationError].
func ParseNumber(s string) (Number, error) {
	p := scanner{text: s}
	if !p.scan() {
		if s == "" {
			return Number{}, errNotNumeric
		}
		return Number{}, Invalid("The parameter cannot be converted to a numeric value: %s", s)
	}
	if p.digits == 0 {
		return Number{}, nil
	}
	switch exponent := p.scale + p.digits - 1; {
	case exponent > maxExponent:
		return Number{}, errOverflow
	case exponent < minExponent:
		return Number{}, errUnderflow
	case p.digits > maxDigits:
		return Number{}, errPrecision
	}
	return Number{coef: p.coef, scale: int16(p.scale), negative: p.negative}, nil
}

// scanner reads one number text from left to right.
type scanner struct {
	text     string
	negative bool
	coef     coefficient // the first 38 significant digits
	digits   int         // number of significant digits, without trailing zeros
	zeros    int         // zeros since the last other digit: significant only if one follows
	scale    int         // exponent of the last significant digit
}

func (s *scanner) scan() bool {
	rest := s.text
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		s.negative = rest[0] == '-'
		rest = rest[1:]
	}
	rest, whole := s.run(rest)
	fraction := 0
	if rest != "" && rest[0] == '.' {
		rest, fraction = s.run(rest[1:])
	}
	if whole+fraction == 0 {
		return false
	}
	exponent, ok := 0, true
	if rest != "" {
		exponent, ok = scanExponent(rest)
	}
	s.scale = exponent - fraction + s.zeros
	return ok
}

// run consumes the digits at the start of text and returns the rest and their number.
func (s *scanner) run(text string) (string, int) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		s.digit(text[n] - '0')
		n++
	}
	return text[n:], n
}

func (s *scanner) digit(d byte) {
	if d == 0 {
		if s.digits > 0 {
			s.zeros++
		}
		return
	}
	shift := s.zeros + 1
	s.zeros = 0
	s.digits += shift
	if s.digits > maxDigits {
		return // refused later, once the rest is known to be a number
	}
	if s.digits < 20 {
		s.coef.lo = s.coef.lo*powersOfTen[shift].lo + uint64(d)
		return
	}
	shifted, _ := s.coef.times(powersOfTen[shift])
	s.coef, _ = shifted.plus(coefficient{lo: uint64(d)})
}

// scanExponent parses "e±digits" up to the end of s, which is not empty.
func scanExponent(s string) (int, bool) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	sign := 1
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	if s == "" {
		return 0, false
	}
	exponent := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		if exponent < saturated {
			exponent = exponent*10 + int(s[i]-'0')
		}
	}
	return sign * exponent, true
}
