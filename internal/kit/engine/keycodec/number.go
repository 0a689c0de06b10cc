package keycodec

import "stoa/internal/kit/engine/value"

// The first byte of a number is its sign; zero consists of that byte only.
const (
	negative = 0x40
	zero     = 0x80
	positive = 0xC0
)

// minExponent is the exponent whose byte is 0. The largest is 125, so that one byte suffices.
const minExponent = -130

// AppendNumber appends the encoding of a decimal number such as "-12.50"; 12.50 and 12.5
// have the same encoding. Digits are stored two to a byte; all bytes after the sign of a
// negative number are inverted, which reverses their order. It fails with a
// [value.ValidationError].
func AppendNumber(dst []byte, text string) ([]byte, error) {
	n, err := value.ParseNumber(text)
	if err != nil {
		return nil, err
	}
	var flip byte
	switch n.Sign() {
	case 0:
		return append(dst, zero), nil
	case -1:
		dst, flip = append(dst, negative), 0xFF
	default:
		dst = append(dst, positive)
	}
	dst = append(dst, byte(n.Exponent()-minExponent)^flip)
	digits := n.Digits()
	for i := 0; i < len(digits); i += 2 {
		pair := 10 * (digits[i] - '0')
		if i+1 < len(digits) {
			pair += digits[i+1] - '0'
		}
		dst = append(dst, (pair+1)^flip)
	}
	return append(dst, flip), nil
}
