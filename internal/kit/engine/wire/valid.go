package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// isJSON reports whether text is exactly one JSON value in UTF-8. Unlike encoding/json, it
// refuses escapes of single surrogates, which encoding/json replaces: the stored text would
// differ from the one sent.
func isJSON(text []byte) bool {
	return json.Valid(text) && utf8.Valid(text) && !hasHalfCharacter(text)
}

// hasHalfCharacter reports whether JSON text escapes a surrogate without its partner.
func hasHalfCharacter(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 {
			return false
		}
		text = text[at:]
		size := len(`\n`)
		if text[1] == 'u' {
			size = len(`\u0000`)
			if first := escapedUnit(text); utf16.IsSurrogate(first) {
				if utf16.DecodeRune(first, escapedUnit(text[size:])) == unicode.ReplacementChar {
					return true
				}
				size *= 2
			}
		}
		text = text[size:]
	}
}

// escapedUnit returns the UTF-16 unit of the escape that text starts with, or -1 if there
// is none.
func escapedUnit(text []byte) rune {
	if !bytes.HasPrefix(text, []byte(`\u`)) {
		return -1
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
