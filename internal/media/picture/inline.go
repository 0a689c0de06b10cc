package picture

import "encoding/base64"

// Inline decodes a base64 picture as leniently as older servers: characters outside the
// alphabet are skipped, padding may be missing, and anything after it is ignored. Process
// determines whether the result is a picture.
func Inline(text string) []byte {
	symbols := make([]byte, 0, len(text))
	for i := range len(text) {
		c := text[i]
		if c == '=' && len(symbols)%4 >= 2 {
			break
		}
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
			symbols = append(symbols, c)
		}
	}
	if len(symbols)%4 == 1 { // six bits make no byte
		symbols = symbols[:len(symbols)-1]
	}
	data := make([]byte, base64.RawStdEncoding.DecodedLen(len(symbols)))
	n, err := base64.RawStdEncoding.Decode(data, symbols)
	if err != nil {
		panic("picture: base64 of nothing but its alphabet: " + err.Error())
	}
	return data[:n]
}
