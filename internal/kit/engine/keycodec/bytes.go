package keycodec

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

// AppendPrefix appends what the encodings of all values beginning with v have
// in common: the encoding of v without its end.
func AppendPrefix[T ~string | ~[]byte](dst []byte, v T) []byte {
	from := 0
	for i := 0; i < len(v); i++ {
		if v[i] == escape {
			dst = append(dst, v[from:i]...)
			dst = append(dst, escape, escapedZero)
			from = i + 1
		}
	}
	return append(dst, v[from:]...)
}
