package wire

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxQuickDepth is the maximum nesting of values that quick decodes.
const maxQuickDepth = 32

// quick decodes a request in the form that most clients send: an object with the known
// members, each at most once, and none of the supported extensions. It returns false for any
// other request, which decode decodes or refuses. The data must be UTF-8.
func quick(data []byte) (r Request, ok bool) {
	q := quickReader{data: data, ok: true}
	var queried bool
	seen := map[string]bool{}
	q.members(func(name string) {
		switch value := q.value(0); name {
		case "query":
			r.Query, queried = value.(string)
		case "operationName":
			r.OperationName, ok = value.(string)
			q.ok = q.ok && (ok || value == nil)
		case "variables":
			r.Variables, ok = value.(map[string]any)
			q.ok = q.ok && (ok || value == nil)
		case "extensions":
			members, ok := value.(map[string]any)
			q.ok = q.ok && (ok || value == nil)
			for name := range members {
				q.ok = q.ok && !slices.Contains(supported, name)
			}
		default:
			q.ok = false
		}
		q.ok = q.ok && !seen[name]
		seen[name] = true
	})
	q.space()
	return r, q.ok && queried && q.at == len(data)
}

// supported are the names of the members of extensions.
var supported = []string{"persistedQuery", "idempotencyKey", "since"}

// quickReader is a JSON parser that stops at errors and unsupported syntax.
type quickReader struct {
	data []byte
	at   int
	ok   bool
}

func (q *quickReader) space() {
	for q.at < len(q.data) && strings.IndexByte(" \n\r\t", q.data[q.at]) >= 0 {
		q.at++
	}
}

// next returns the next byte after white space, or 0 at the end.
func (q *quickReader) next() byte {
	q.space()
	if q.at == len(q.data) {
		return 0
	}
	return q.data[q.at]
}

// take consumes the expected byte.
func (q *quickReader) take(c byte) {
	q.ok = q.ok && q.next() == c
	q.at++
}

// list calls element for each element of a bracketed list.
func (q *quickReader) list(from, to byte, element func()) {
	q.take(from)
	if q.ok && q.next() == to {
		q.at++
		return
	}
	for q.ok {
		element()
		if q.ok && q.next() == to {
			q.at++
			return
		}
		q.take(',')
	}
}

// members calls member with each name of an object. It must consume the value.
func (q *quickReader) members(member func(name string)) {
	q.list('{', '}', func() {
		q.space()
		name := q.text()
		q.take(':')
		if q.ok {
			member(name)
		}
	})
}

func (q *quickReader) value(depth int) any {
	if depth > maxQuickDepth {
		q.ok = false
	}
	switch c := q.next(); {
	case !q.ok:
	case c == '"':
		return q.text()
	case c == '{':
		object := map[string]any{}
		q.members(func(name string) { object[name] = q.value(depth + 1) })
		return object
	case c == '[':
		array := []any{}
		q.list('[', ']', func() { array = append(array, q.value(depth+1)) })
		return array
	default:
		return q.literal()
	}
	return nil
}

// text parses a string without escapes; others are left to encoding/json.
func (q *quickReader) text() string {
	from := q.at
	q.take('"')
	for escaped := false; q.ok; q.at++ {
		switch {
		case q.at >= len(q.data) || q.data[q.at] < ' ':
			q.ok = false
		case q.data[q.at] == '\\':
			escaped = true
			q.at++
		case q.data[q.at] != '"':
		case escaped:
			q.at++
			var text string
			q.ok = json.Unmarshal(q.data[from:q.at], &text) == nil
			return text
		default:
			q.at++
			return string(q.data[from+1 : q.at-1])
		}
	}
	return ""
}

// literal parses null, a boolean or a number.
func (q *quickReader) literal() any {
	from := q.at
	for q.at < len(q.data) && strings.IndexByte(",]} \n\r\t", q.data[q.at]) < 0 {
		q.at++
	}
	switch text := string(q.data[from:q.at]); text {
	case "null":
		return nil
	case "true", "false":
		return text == "true"
	default:
		if q.ok = q.ok && json.Valid([]byte(text)); !q.ok {
			return nil
		}
		number, err := literalNumber(text)
		q.ok = err == nil
		return number
	}
}
