package keycodec

import "bytes"

// Skip returns what follows the encoding of one key value, which is a number, or else a
// text or binary. It returns false if key does not start with one.
func Skip(key []byte, number bool) (rest []byte, ok bool) {
	if number {
		return skipNumber(key)
	}
	for at := 0; ; at += 2 {
		next := bytes.IndexByte(key[at:], escape)
		if next < 0 || at+next+1 == len(key) {
			return nil, false
		}
		if at += next; key[at+1] == terminator {
			return key[at+2:], true
		}
	}
}

func skipNumber(key []byte) (rest []byte, ok bool) {
	if len(key) == 0 {
		return nil, false
	}
	end := byte(0)
	switch key[0] {
	case zero:
		return key[1:], true
	case negative:
		end = 0xFF
	case positive:
	default:
		return nil, false
	}
	if len(key) < 2 {
		return nil, false
	}
	// The exponent may be any byte; pairs of digits are never the end.
	at := bytes.IndexByte(key[2:], end)
	if at < 0 {
		return nil, false
	}
	return key[2+at+1:], true
}
