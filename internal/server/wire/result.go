package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/jsonstring"
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
	dst = jsonstring.Append(append(dst, `{"errors":[{"errorType":`...), errorType)
	dst = jsonstring.Append(append(dst, `,"message":`...), message)
	return append(dst, `}]}`...)
}

// Keys of gqlerror.Error.Extensions that also stand at the top of an error object,
// where older clients read them.
const (
	ErrorType = "errorType"
	ErrorInfo = "errorInfo"
	Code      = "code"
)

// Reason is the extension that tells errors of one code apart.
const Reason = "reason"

// wellKnown are the extensions of which each error says something.
var wellKnown = []string{Code, ErrorType, ErrorInfo}

// NewError makes an error of the server itself, which no resolver has seen: it has no
// path.
func NewError(errorType, code, message string, at ...gqlerror.Location) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Locations: at, Extensions: map[string]any{ErrorType: errorType, Code: code}}
}

func appendError(dst []byte, err *gqlerror.Error) []byte {
	dst = jsonstring.Append(append(dst, `{"message":`...), err.Message)
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
		dst = append(appendFurther(dst, err.Extensions), '}')
	}
	return append(dst, '}')
}

// appendFurther appends the extensions that not every error has, in the order of their
// names.
func appendFurther(dst []byte, extensions map[string]any) []byte {
	if len(extensions) <= len(wellKnown) {
		return dst
	}
	for _, name := range slices.Sorted(maps.Keys(extensions)) {
		if !slices.Contains(wellKnown, name) {
			dst = jsonstring.Append(append(dst, ','), name)
			dst = appendValue(append(dst, ':'), extensions[name])
		}
	}
	return dst
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
			dst = jsonstring.Append(dst, string(e))
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
		return jsonstring.Append(dst, v)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return append(dst, `null`...)
	}
	return append(dst, encoded...)
}
