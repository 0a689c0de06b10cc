package keycodec

import "bytes"

// A zero byte inside a value becomes escape+escapedZero, the end of a value is
// escape+terminator. The terminator is smaller than what may follow an escape
// within a value, so a value sorts before its own extensions.
const (
	escape      = 0x00
	terminator  = 0x01
	escapedZero = 0xFF
)

// AppendBytes appends the encoding of a text or binary key value. Text orders
// by its UTF-8 bytes, as binary does.
func AppendBytes[T ~string | ~[]byte](dst []byte, v T) []byte {
	dst = AppendPrefix(dst, v)
	return append(dst, escape, terminator)
}

// AppendPrefix appends the common prefix of the encodings of all values that begin with v:
// the encoding of v without its terminator.
func AppendPrefix[T ~string | ~[]byte](dst []byte, v T) []byte {
	at := len(dst)
	dst = append(dst, v...)
	if bytes.IndexByte(dst[at:], escape) < 0 {
		return dst
	}
	dst = dst[:at]
	for i := range len(v) {
		if dst = append(dst, v[i]); v[i] == escape {
			dst = append(dst, escapedZero)
		}
	}
	return dst
}
