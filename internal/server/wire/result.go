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

// Null is the `data` of a response that contains errors only.
var Null = []byte("null")

// AppendResult appends a response. Data must be JSON; nil omits the entry, which means that
// nothing was executed.
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

// AppendEvent appends an event of a subscription, like AppendResult. Gap tells the client that it may have missed
// events. The cursor is where the subscription may be resumed after this one; "" omits it.
func AppendEvent(dst, data []byte, errs gqlerror.List, gap bool, cursor string) []byte {
	dst = AppendResult(dst, data, errs)
	if !gap && cursor == "" {
		return dst
	}
	dst = append(dst[:len(dst)-1], `,"extensions":{`...)
	if gap {
		dst = append(dst, `"gap":true,`...)
	}
	if cursor != "" {
		dst = append(jsonstring.Append(append(dst, `"cursor":`...), cursor), ',')
	}
	return append(dst[:len(dst)-1], "}}"...)
}

// AppendGap appends what precedes the first event of a subscription that cannot be resumed
// where its client has asked for. The cursor is where it starts instead; "" omits it.
func AppendGap(dst []byte, cursor string) []byte { return AppendEvent(dst, Null, nil, true, cursor) }

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

// AppendRefusal appends the response to a request rejected before its document was
// examined. It has fewer members than other errors, as clients expect; an empty code is left
// out.
func AppendRefusal(dst []byte, errorType, code, message string) []byte {
	dst = jsonstring.Append(append(dst, `{"errors":[{"errorType":`...), errorType)
	dst = jsonstring.Append(append(dst, `,"message":`...), message)
	if code != "" {
		dst = append(jsonstring.Append(append(dst, `,"extensions":{"code":`...), code), '}')
	}
	return append(dst, `}]}`...)
}

// Keys of gqlerror.Error.Extensions that are repeated at the top level of an error, where
// older clients read them.
const (
	ErrorType = "errorType"
	ErrorInfo = "errorInfo"
	Code      = "code"
)

// Reason is the extension that distinguishes errors with the same code.
const Reason = "reason"

// wellKnown are the extensions included in every error.
var wellKnown = []string{Code, ErrorType, ErrorInfo}

// NewError returns an error of the server itself, which has no path.
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

// appendFurther appends the other extensions, sorted by name.
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

// appendValue appends an extension value: usually a string, a list of strings or null.
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
