package value

// Cmp returns -1, 0 or +1 as n is less than, equal to or greater than m.
func (n Number) Cmp(m Number) int {
	if n == m {
		return 0
	}
	sign := n.Sign()
	if other := m.Sign(); sign != other {
		if sign < other {
			return -1
		}
		return 1
	}
	if order := n.compareMagnitude(m); order != 0 {
		return sign * order
	}
	return 0
}

func (n Number) compareMagnitude(m Number) int {
	if a, b := n.Exponent(), m.Exponent(); a != b {
		if a < b {
			return -1
		}
		return 1
	}
	// The same leading power: the finer scale has more digits, so scaling the
	// coarser one up to it stays within 38.
	a, b := n.coef, m.coef
	if n.scale > m.scale {
		a, _ = a.times(powersOfTen[n.scale-m.scale])
	} else {
		b, _ = b.times(powersOfTen[m.scale-n.scale])
	}
	return a.cmp(b)
}

// Neg returns -n.
func (n Number) Neg() Number {
	n.negative = !n.negative && !n.coef.isZero()
	return n
}

// Sub returns n - m, or the [ValidationError] of a result that is no [Number].
func (n Number) Sub(m Number) (Number, error) { return n.Add(m.Neg()) }

// Add returns n + m exactly, or a [ValidationError] when the result needs more
// than 38 digits or leaves the range. It never rounds.
func (n Number) Add(m Number) (Number, error) {
	if n.coef.isZero() {
		return m, nil
	}
	if m.coef.isZero() {
		return n, nil
	}
	if n.scale < m.scale {
		n, m = m, n
	}
	// A sum that overflows 128 bits once the scales agree has over 38 digits, and the
	// last of them is not zero: it is the last digit of m.
	shift := n.scale - m.scale
	if shift > maxDigits {
		return Number{}, errPrecision
	}
	a, ok := n.coef.times(powersOfTen[shift])
	if !ok {
		return Number{}, errPrecision
	}
	if n.negative == m.negative {
		sum, ok := a.plus(m.coef)
		if !ok {
			return Number{}, errPrecision
		}
		return numberFrom(n.negative, sum, int(m.scale))
	}
	if a.cmp(m.coef) >= 0 {
		return numberFrom(n.negative, a.minus(m.coef), int(m.scale))
	}
	return numberFrom(m.negative, m.coef.minus(a), int(m.scale))
}

// numberFrom returns coef × 10^scale in canonical form and checks its limits.
func numberFrom(negative bool, coef coefficient, scale int) (Number, error) {
	if coef.isZero() {
		return Number{}, nil
	}
	for {
		tenth, rem := coef.divide(10)
		if rem != 0 {
			break
		}
		coef = tenth
		scale++
	}
	digits := coef.digits()
	switch exponent := scale + digits - 1; {
	case exponent > maxExponent:
		return Number{}, errOverflow
	case exponent < minExponent:
		return Number{}, errUnderflow
	case digits > maxDigits:
		return Number{}, errPrecision
	}
	return Number{coef: coef, scale: int16(scale), negative: negative}, nil
}
