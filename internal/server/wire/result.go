package wire

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Null is the `data` of an answer that holds errors only.
var Null = []byte("null")

// AppendResult appends an answer. Data is JSON that goes out as it is; nil leaves
// the entry out, which is how an answer says that nothing was executed.
func AppendResult(dst, data []byte, errs gqlerror.List) []byte {
	dst = append(dst, '{')
	if data != nil {
		dst = append(append(dst, `"data":`...), data...)
	}
	if len(errs) > 0 {
		if data != nil {
			dst = append(dst, ',')
		}
		dst = AppendErrors(append(dst, `"errors":`...), errs)
	}
	return append(dst, '}')
}

// AppendErrors appends errs as a JSON list.
func AppendErrors(dst []byte, errs gqlerror.List) []byte {
	dst = append(dst, '[')
	for i, err := range errs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendError(dst, err)
	}
	return append(dst, ']')
}

// AppendRefusal appends the answer to a request that was turned away before its
// document was looked at. It has fewer members than other errors, as clients
// expect of it.
func AppendRefusal(dst []byte, errorType, message string) []byte {
	dst = appendText(append(dst, `{"errors":[{"errorType":`...), errorType)
	dst = appendText(append(dst, `,"message":`...), message)
	return append(dst, `}]}`...)
}

// Keys of gqlerror.Error.Extensions that also stand at the top of an error object,
// where older clients read them.
const (
	ErrorType = "errorType"
	ErrorInfo = "errorInfo"
	Code      = "code"
)

// NewError makes an error of the server itself, which no resolver has seen: it has no
// path.
func NewError(errorType, code, message string, at ...gqlerror.Location) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Locations: at, Extensions: map[string]any{ErrorType: errorType, Code: code}}
}

func appendError(dst []byte, err *gqlerror.Error) []byte {
	dst = appendText(append(dst, `{"message":`...), err.Message)
	dst = appendValue(append(dst, `,"errorType":`...), err.Extensions[ErrorType])
	dst = appendValue(append(dst, `,"errorInfo":`...), err.Extensions[ErrorInfo])
	dst = append(dst, `,"data":null,"path":`...)
	dst = appendPath(dst, err.Path)
	dst = append(dst, `,"locations":`...)
	dst = appendLocations(dst, err.Locations)
	if code, ok := err.Extensions[Code]; ok {
		dst = appendValue(append(dst, `,"extensions":{"code":`...), code)
		dst = appendValue(append(dst, `,"errorType":`...), err.Extensions[ErrorType])
		dst = appendValue(append(dst, `,"errorInfo":`...), err.Extensions[ErrorInfo])
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

func appendPath(dst []byte, path ast.Path) []byte {
	if path == nil {
		return append(dst, `null`...)
	}
	dst = append(dst, '[')
	for i, element := range path {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch e := element.(type) {
		case ast.PathName:
			dst = appendText(dst, string(e))
		case ast.PathIndex:
			dst = strconv.AppendInt(dst, int64(e), 10)
		}
	}
	return append(dst, ']')
}

func appendLocations(dst []byte, locations []gqlerror.Location) []byte {
	if len(locations) == 0 {
		return append(dst, `null`...)
	}
	dst = append(dst, '[')
	for i, at := range locations {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"line":`...), int64(at.Line), 10)
		dst = strconv.AppendInt(append(dst, `,"column":`...), int64(at.Column), 10)
		dst = append(dst, `,"sourceName":null}`...)
	}
	return append(dst, ']')
}

// appendValue appends what stands in an error's extensions: nearly always a
// string, a list of strings or nothing.
func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, `null`...)
	case string:
		return appendText(dst, v)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return append(dst, `null`...)
	}
	return append(dst, encoded...)
}

// appendText appends s as a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendText(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, `\n`...)
			case '\t':
				dst = append(dst, `\t`...)
			default:
				dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
			start = i + 1
		}
		i += size
	}
	return append(append(dst, s[start:]...), '"')
}
